/**
 * A client for the tree service: huge trees as flat lists of rows, kept true by change lists.
 *
 * ```js
 * import { TreeClient } from "/client/tree-client.js";
 * const session = await new TreeClient().createSession({ tree: "catalog" });
 * const view = session.view();
 * view.subscribe(() => draw(view));
 * view.setRange(5000, 5040);
 * ```
 *
 * One module without dependencies, for browsers (2024 and later) and Node (20.3 and later). Each
 * operation of `openapi.yaml` is a method under its `operationId`. What needs more than a request
 * is in {@link TreeSession.changes}, {@link TreeView} and `Outbox` (`outbox.js`).
 */

/** A JSON value. */
export type JSONValue = null | boolean | number | string | JSONValue[] | { [name: string]: JSONValue };

/** A revision; one more with each batch that changed the session, or the tree. */
export type Revision = number;

/** The state of a node's children. */
export type ChildState = "leaf" | "unloaded" | "loading" | "failed" | "loaded";

/** A visible node. With `fields`, only the members asked for, and those of a view, which always has `index` and `key`. */
export interface Row<Object = JSONValue> {
  /** The position among all rows; null while the node is hidden. */
  index: number;
  key: string;
  /** The parent's key; null at a root. */
  parent?: string | null;
  /** 0 at a root. */
  depth?: number;
  /** Only in trees with sections. */
  section?: string;
  sectionRow?: number | null;
  position?: number;
  siblingCount?: number;
  expanded?: boolean;
  childState?: ChildState;
  /** A hint where children are not loaded; null while not known. */
  childCount?: number | null;
  visibleDescendantCount?: number;
  selected?: boolean;
  /** There only while a filter is on. */
  matched?: boolean;
  object?: Object;
}

export type RowField = Exclude<keyof Row, never>;

/** A node to be made, with what is below it. `children`: absent or null for a leaf, `"unloaded"` where they are supplied later. */
export interface NewNode {
  key: string;
  object?: unknown;
  children?: NewNode[] | "unloaded" | null;
  childCount?: number;
  section?: string;
}

export interface SortDescriptor {
  /** A JSON pointer into the object, `""` for all of it, `"#key"` for the key. */
  by: string;
  direction?: "ascending" | "descending";
  compare?: "auto" | "text" | "caseInsensitive" | "natural" | "number";
}

/** At most one of these says where a node goes among its siblings. */
export interface Place {
  index?: number;
  before?: string;
  after?: string;
  first?: true;
  sort?: SortDescriptor[];
}

export type Levels = number | "all";
type Keys = { key: string } | { keys: string[] };

/** An operation of a batch. Each sees what those before it did. */
export type Operation =
  | ({ op: "insert"; parent?: string | null } & NewNode & Place)
  | { op: "update"; key: string; object?: unknown; merge?: unknown }
  | ({ op: "remove" } & Keys)
  | ({ op: "move"; parent?: string | null; section?: string } & Keys & Place)
  | { op: "setChildren"; key: string | null; children: NewNode[] | "unloaded" | "loading" | "failed" | null; childCount?: number }
  | { op: "sort"; key?: string | null; by: SortDescriptor[] }
  | { op: "expand" | "collapse" | "toggle"; key: string; levels?: Levels }
  | { op: "expandAll" | "collapseAll" | "clearSelection" }
  | ({ op: "reveal"; select?: boolean } & Keys)
  | ({ op: "select" | "deselect" } & (Keys | { subtree: string }))
  | { op: "insertSection" | "moveSection"; section: string; index?: number }
  | { op: "removeSection" | "expandSection" | "collapseSection"; section: string }
  | { op: "renameSection"; section: string; to: string };

export type Filter =
  | { by?: string; equals?: unknown; contains?: string; startsWith?: string; matches?: string; above?: unknown; below?: unknown; caseSensitive?: boolean }
  | { all: Filter[] } | { any: Filter[] } | { not: Filter };

/** An entry of a change list. `index` is in the rows before, `newIndex` in those after. */
export interface Change {
  type: "delete" | "insert" | "move" | "update" | "deleteSection" | "insertSection" | "moveSection" | "updateSection";
  key?: string;
  index?: number;
  newIndex?: number;
  /** The number of neighbouring rows that the entry stands for; 1 if absent. */
  count?: number;
  depth?: number;
  parent?: string | null;
  section?: string;
  fields?: string[];
  row?: Row;
  rows?: Row[];
  [member: string]: unknown;
}

/** The net difference between the rows at two revisions. */
export interface ChangeList {
  session: string;
  previousRevision: Revision;
  revision: Revision;
  treeRevision: Revision;
  rowCount: number;
  nodeCount: number;
  /** In what is followed: who made the changes. */
  origin?: "own" | "other" | "mixed";
  format: "rows" | "ranges" | "none";
  changes: Change[];
  /** Expanded nodes whose children nobody supplied yet. */
  unloaded: string[];
  /** The place of the (first) row that the last `reveal` revealed. */
  index?: number | null;
  reset?: undefined;
}

/** What changed is not known any more: read the rows again, and go on from `revision`. */
export interface Reset {
  reset: true;
  revision: Revision;
  rowCount: number;
}

export interface RowPage<Object = JSONValue> {
  session: string;
  revision: Revision;
  rowCount: number;
  offset: number;
  ancestors: Partial<Row<Object>>[];
  rows: Row<Object>[];
  /** The changes since the revision asked for; null where the service has forgotten it. */
  changes?: ChangeList | null;
}

export interface ChildRange<Object = JSONValue> {
  revision: Revision;
  parent: string | null;
  childCount: number | null;
  offset: number;
  nodes: (Omit<Row<Object>, "index"> & { index: number | null })[];
}

export interface SessionOptions {
  /** How far nodes are expanded that nobody toggled. */
  expansion?: number | "all" | "none";
  order?: "depthFirst" | "breadthFirst";
  /** The order of siblings in this session alone; null for that of the tree. */
  viewSort?: SortDescriptor[] | null;
  filter?: Filter | null;
  selection?: "none" | "single" | "multiple";
  nestedExpansion?: "remember" | "forget";
  accordion?: boolean;
  /** 0: the session never ends by itself. */
  idleTimeoutSeconds?: number;
  /** Of a private tree only. */
  sort?: SortDescriptor[];
}

export interface NewSession extends SessionOptions {
  /** The shared tree that is shown; without it the session has a private one. */
  tree?: string;
  state?: unknown;
  expandedKeys?: string[];
  access?: "write" | "view";
  sections?: string[];
  nodes?: NewNode[];
}

export interface SessionDescription extends Required<SessionOptions> {
  session: string;
  tree: string;
  revision: Revision;
  treeRevision: Revision;
  rowCount: number;
  nodeCount: number;
  selectedCount: number;
  sections: string[];
  access: "write" | "view";
  secret?: string;
}

/** What every request takes, beside the parameters of its query. */
export interface RequestOptions {
  /** Ends the request, and the waits between its retries. */
  signal?: AbortSignal;
  /** How often it is sent at most; 7 if absent. */
  attempts?: number;
  /** Milliseconds after which it counts as lost; 130 000 if absent. Imports and exports take as long as they take. */
  timeout?: number;
  /** Called before each wait with what went wrong. */
  onRetry?(error: TreeError): void;
  /** The revision at which alone the request is carried out. */
  ifMatch?: Revision | "*";
  /** Other fields of the request. */
  headers?: Record<string, string>;
}

export interface WriteOptions extends RequestOptions {
  /** Names the write, so that it is made once however often it is sent. Every write has one; give it to go on with a write of before. */
  idempotencyKey?: string;
  dryRun?: boolean;
}

/**
 * How a change of a session is answered. Where the session has a view, these are what the view
 * needs if they are absent: ranges, with the rows that come. An answer in another form is fine; the
 * view then learns of the change by its stream, a moment later.
 */
export interface ChangeOptions extends WriteOptions {
  changes?: "rows" | "ranges" | "none";
  include?: "rows";
  limit?: number;
  fields?: string | RowField[];
  sections?: boolean;
}

export interface ReadOptions extends RequestOptions {
  fields?: string | RowField[];
  /** The revision that is meant; at another one it is 409 `revision-changed`. */
  revision?: Revision;
}

export interface RangeQuery extends ReadOptions {
  offset?: number;
  /** 1 to 1000; 100 if absent. */
  limit?: number;
}

export interface RowsQuery extends RangeQuery {
  /** The key of a row; the page is the window about it. */
  around?: string;
  before?: number;
  after?: number;
  ancestors?: number;
  /** Has the page tell the changes since this revision, in the form of `changes`. */
  since?: Revision;
  changes?: "rows" | "ranges" | "none";
}

export interface SearchQuery extends RequestOptions {
  q: string;
  by?: string;
  after?: string;
  limit?: number;
  fields?: string | RowField[];
  count?: boolean;
}

export interface SearchAnswer<Object = JSONValue> {
  revision: Revision;
  matches: (Omit<Row<Object>, "index"> & { index: number | null })[];
  /** The key to go on behind; null at the end. */
  next: string | null;
  total?: number;
}

export interface TreeDescription {
  tree: string;
  revision: Revision;
  nodeCount: number;
  [member: string]: unknown;
}

export interface TreeChange {
  tree: string;
  previousRevision: Revision;
  revision: Revision;
  nodeCount: number;
  applied: number;
}

/** An answer that is no success (RFC 9457), or no answer at all: then `status` is 0 and `code` is `no-answer`. */
export class TreeError extends Error {
  constructor(problem: { status: number; code: string; detail?: string; [member: string]: unknown });
  readonly name: "TreeError";
  readonly status: number;
  readonly code: string;
  /** A sentence that says what to do. */
  readonly detail?: string;
  /** The place in its batch of the operation that failed. */
  readonly operation?: number;
  readonly key?: string;
  readonly pointer?: string;
  readonly revision?: Revision;
  readonly limit?: number;
  /** Seconds that the service wants to be left alone; 0 if it did not say. */
  readonly retryAfter?: number;
  /** True for 429, 5xx and lost connections: the same request may succeed later. */
  readonly retryable: boolean;
}

export interface ClientOptions {
  /** Where the service is, a path in front of `/v1` included. In a page, its own origin if absent. */
  url?: string;
  /** A key of the service, or what gives one; it is asked for every request, so that it can be renewed. */
  credential?: string | (() => string | Promise<string>);
  /** The function to make requests with, if not the one there is. */
  fetch?: typeof fetch;
}

/**
 * The service.
 *
 * Requests are sent again on 429, 5xx and lost connections, after a random time (full jitter) of up
 * to 1 s, doubling to 32 s, and what `Retry-After` asks for; six times, unless `attempts` says
 * otherwise. All else rejects with a {@link TreeError} at once.
 */
export class TreeClient {
  constructor(options?: ClientOptions);
  readonly url: string;

  /** Makes a session. */
  createSession(options?: NewSession, init?: WriteOptions): Promise<TreeSession>;
  /** Opens a session by its id, and by the `secret` it came with, where the service has keys. */
  openSession(id: string, options?: { secret?: string } & RequestOptions): Promise<TreeSession>;

  createTree(tree: { tree?: string; sort?: SortDescriptor[]; sections?: string[]; nodes?: NewNode[] }, options?: WriteOptions): Promise<TreeDescription>;
  listTrees(query?: { limit?: number; after?: string } & RequestOptions): Promise<{ trees: TreeDescription[]; next: string | null }>;
  getTree(tree: string, options?: ReadOptions): Promise<TreeDescription>;
  deleteTree(tree: string, options?: WriteOptions): Promise<void>;
  getTreeNodes(tree: string, query: { keys: string[]; fields?: RowField[] }, options?: ReadOptions): Promise<{ revision: Revision; nodes: (Partial<Row> | null)[] }>;
  getTreeNode(tree: string, key: string, options?: ReadOptions): Promise<{ tree: string; revision: Revision; node: Partial<Row> }>;
  listTreeChildren(tree: string, key: string, query?: RangeQuery): Promise<ChildRange>;
  listTreeRoots(tree: string, query?: RangeQuery & { parent?: string; section?: string }): Promise<ChildRange>;
  applyTreeBatch(tree: string, batch: { operations: Operation[] }, options?: WriteOptions): Promise<TreeChange>;
  /** Imports lines of JSON (`{"key", "parent"?, "object"?}`). A stream is sent once: it cannot be sent again. */
  importNodes(tree: string, lines: string | Blob | Uint8Array | ReadableStream<Uint8Array>, options?: WriteOptions): Promise<TreeChange>;
  /** Resolves with the response, whose body is streamed. */
  exportNodes(tree: string, options?: RequestOptions): Promise<Response>;
  getHealth(options?: RequestOptions): Promise<{ status: "ok" }>;
  getReadiness(options?: RequestOptions): Promise<{ status: "ready" }>;
  getMetrics(options?: RequestOptions): Promise<string>;
  getDescription(options?: RequestOptions): Promise<string>;
  getProblem(code: string, options?: RequestOptions): Promise<string>;
  /** A file of this client, as text. */
  getClientFile(file: string, options?: RequestOptions): Promise<string>;
  /** The page of the explorer, to which this leads. */
  getStart(options?: RequestOptions): Promise<string>;
  getExplorerStart(options?: RequestOptions): Promise<string>;
  getExplorer(options?: RequestOptions): Promise<string>;
  /** A file of the explorer, as text. */
  getExplorerFile(file: string, options?: RequestOptions): Promise<string>;
}

export interface FollowOptions {
  /** The revision behind which it begins; without one, with what changes from now on. */
  since?: Revision | (() => Revision | undefined);
  /** Ends the iteration. */
  signal?: AbortSignal;
  /** Milliseconds between two lists at least; 0 for a list for each revision. */
  interval?: number;
  changes?: "rows" | "ranges" | "none";
  include?: "rows";
  limit?: number;
  fields?: string | RowField[];
  sections?: boolean;
  /** The service's `heartbeatSeconds` in milliseconds; 15 000 if absent. A connection that is silent for twice as long is given up. */
  heartbeat?: number;
  /** Called whenever the way the session is followed changes. */
  onState?(state: "live" | "polling" | "offline"): void;
}

/**
 * A session: one view of a tree, with what is expanded, filtered and selected in it.
 *
 * Writes carry an `Idempotency-Key`: a write that is sent again, because its answer was lost, is
 * made once.
 */
export class TreeSession {
  /** A session whose id is known, without a request. */
  constructor(client: TreeClient, id: string, secret?: string, description?: SessionDescription);
  readonly id: string;
  /** What opens this session and nothing else, where the service has keys. */
  readonly secret?: string;
  /** The session as it was when it was made or opened. */
  readonly description?: SessionDescription;
  /** The newest revision that any answer told. */
  readonly revision?: Revision;

  /** Applies operations, all or none. */
  batch(operations: Operation[], options?: ChangeOptions): Promise<ChangeList>;
  insert(node: NewNode & Place & { parent?: string | null }, options?: ChangeOptions): Promise<ChangeList>;
  remove(keys: string | string[], members?: {}, options?: ChangeOptions): Promise<ChangeList>;
  move(keys: string | string[], place: Place & { parent?: string | null; section?: string }, options?: ChangeOptions): Promise<ChangeList>;
  expand(key: string, members?: { levels?: Levels }, options?: ChangeOptions): Promise<ChangeList>;
  collapse(key: string, members?: { levels?: Levels }, options?: ChangeOptions): Promise<ChangeList>;
  toggle(key: string, members?: {}, options?: ChangeOptions): Promise<ChangeList>;
  reveal(keys: string | string[], members?: { select?: boolean }, options?: ChangeOptions): Promise<ChangeList>;
  select(keys: string | string[], members?: {}, options?: ChangeOptions): Promise<ChangeList>;
  deselect(keys: string | string[], members?: {}, options?: ChangeOptions): Promise<ChangeList>;
  /** A page of rows; {@link view} keeps them true. */
  rows(query?: RowsQuery): Promise<RowPage>;
  /** Children of a node, or with null the roots, expanded or not. */
  children(key: string | null, query?: RangeQuery): Promise<ChildRange>;
  search(query: SearchQuery): Promise<SearchAnswer>;
  /** Changes options, and tells which rows that changed. */
  patch(options: SessionOptions, init?: ChangeOptions): Promise<SessionDescription & ChangeList>;

  /**
   * Iterates over the change lists behind `since`, for as long as the session lives.
   *
   * Uses a stream of events. When three of them in a row last less than a second (behind some
   * proxies), it polls instead. Reconnects by itself, and misses nothing: what was missed comes as
   * one list, or as a {@link Reset} where history is gone. Throws a {@link TreeError} when the session
   * has ended. A `signal` ends it without an error.
   */
  changes(options?: FollowOptions): AsyncGenerator<ChangeList | Reset, void, void>;

  /** A window of rows that is kept true from now on. Each view has a connection of its own. */
  view<Object = JSONValue>(options?: ViewOptions): TreeView<Object>;
  /** Closes all views. The session itself lives on; {@link deleteSession} ends it. */
  close(): void;

  getSession(options?: ReadOptions): Promise<SessionDescription>;
  patchSession(options: SessionOptions, init?: ChangeOptions): Promise<SessionDescription & ChangeList>;
  deleteSession(options?: WriteOptions): Promise<void>;
  /** What is expanded and selected, as a value that {@link TreeClient.createSession} takes as `state`. */
  getState(options?: ReadOptions): Promise<Record<string, unknown>>;
  listRows(query?: RowsQuery): Promise<RowPage>;
  getRow(index: number, options?: ReadOptions): Promise<Row & { session: string; revision: Revision }>;
  getNodes(query: { keys: string[]; fields?: RowField[] }, options?: ReadOptions): Promise<{ revision: Revision; nodes: (Row | null)[] }>;
  getNode(key: string, options?: ReadOptions): Promise<Row & { session: string; revision: Revision }>;
  putNode(key: string, content?: { object?: unknown; parent?: string | null; children?: NewNode["children"]; section?: string } & Place, options?: ChangeOptions): Promise<ChangeList>;
  patchNode(key: string, patch: unknown, options?: ChangeOptions): Promise<ChangeList>;
  deleteNode(key: string, options?: ChangeOptions): Promise<ChangeList>;
  listChildren(key: string, query?: RangeQuery): Promise<ChildRange>;
  putChildren(key: string, children: NewNode[] | string | null, options?: ChangeOptions): Promise<ChangeList>;
  listRoots(query?: RangeQuery & { parent?: string; section?: string }): Promise<ChildRange>;
  putForest(roots: NewNode[], options?: ChangeOptions & { section?: string }): Promise<ChangeList>;
  listAncestors(key: string, options?: ReadOptions): Promise<{ revision: Revision; ancestors: Row[] }>;
  listSections(options?: ReadOptions): Promise<{ revision: Revision; sections: { section: string; index: number; rowCount: number; offset: number }[] }>;
  searchNodes(query: SearchQuery): Promise<SearchAnswer>;
  applyBatch(batch: { operations: Operation[] }, options?: ChangeOptions): Promise<ChangeList>;
  /** One request: the net list since a revision; with `wait` it is held for some seconds. {@link changes} follows. */
  followChanges(query: { since: Revision; wait?: number } & ChangeOptions): Promise<ChangeList>;
  expandNode(key: string, body?: { levels?: Levels }, options?: ChangeOptions): Promise<ChangeList>;
  collapseNode(key: string, body?: { levels?: Levels }, options?: ChangeOptions): Promise<ChangeList>;
  toggleNode(key: string, body?: { levels?: Levels }, options?: ChangeOptions): Promise<ChangeList>;
  revealNode(key: string, body?: { select?: boolean }, options?: ChangeOptions): Promise<ChangeList>;
  selectNode(key: string, body?: { subtree?: boolean }, options?: ChangeOptions): Promise<ChangeList>;
  deselectNode(key: string, body?: { subtree?: boolean }, options?: ChangeOptions): Promise<ChangeList>;
  moveNode(key: string, destination?: Place & { parent?: string | null; section?: string }, options?: ChangeOptions): Promise<ChangeList>;
  expandAll(body?: {}, options?: ChangeOptions): Promise<ChangeList>;
  collapseAll(body?: {}, options?: ChangeOptions): Promise<ChangeList>;
  clearSelection(body?: {}, options?: ChangeOptions): Promise<ChangeList>;
}

export interface ViewOptions {
  /** Rows that are read together, 1 to 1000; 100 if absent. */
  pageSize?: number;
  /** Pages that are read before and behind what is shown; 1 if absent. */
  overscan?: number;
  /** Rows that are held at most; 10 000 if absent. */
  maxRows?: number;
  /**
   * The members of the rows. All that change lists keep true if absent: `parent`, `depth`,
   * `section`, `expanded`, `childState`, `childCount`, `selected`, `matched` and `object`. The others
   * (`position`, `siblingCount`, `visibleDescendantCount`, `sectionRow`) depend on rows that a window
   * does not hold. Where they are asked for, what is shown is read again after each change of
   * structure, wherever that was.
   */
  fields?: RowField[];
  /** Milliseconds between two events at least; 100 if absent. The view's own batches are shown at once. */
  interval?: number;
  /** The service's `heartbeatSeconds` in milliseconds; 15 000 if absent. */
  heartbeat?: number;
}

/**
 * `loading`: nothing is known yet, or the stream is being opened. `live`: followed by a stream.
 * `polling`: followed by long polls. `paused`: the page is hidden; nothing is asked for until it is
 * shown. `offline`: the service does not answer; it is tried again. `failed`: the session has ended,
 * or something was refused for good; see `error`.
 */
export type ViewStatus = "loading" | "live" | "polling" | "paused" | "offline" | "failed";

/**
 * A window of rows, kept true by change lists: what the window holds is always the rows of one
 * revision. It reads what is shown first, then what is around it, and holds at most `maxRows` rows,
 * however large the tree.
 */
export class TreeView<Object = JSONValue> {
  /** The number of all rows. */
  readonly rowCount: number;
  /** The number of rows that are held. */
  readonly size: number;
  /** The revision of what is held; undefined until the first page is there. */
  readonly revision?: Revision;
  /** Grows with every visible change: of a row that is shown, of `rowCount`, `range` or `status`. */
  readonly version: number;
  readonly status: ViewStatus;
  /** The reason, where `status` is `failed`. */
  readonly error?: Error;
  readonly pageSize: number;
  readonly maxRows: number;
  readonly fields: RowField[];
  /** What is shown, as `setRange` said, shifted with the rows since. */
  readonly range: { first: number; last: number };

  /**
   * The key of the row that stays where it is on the screen when rows come or go above it. If null,
   * that is the first one of the range, but for the very top, where new rows push the others down.
   */
  anchor: string | null;

  /** The row at an index; undefined while it is being read, and beyond the last one. The same object as long as it reads the same. */
  row(index: number): Row<Object> | undefined;
  /** The index of a row that is held, else -1. */
  indexOf(key: string): number;
  /** Says what is shown, both included. May be called as often as somebody scrolls. */
  setRange(first: number, last: number): void;
  /**
   * Calls back after each visible change. `shift` is how far the range moved with its rows: a list
   * scrolls by as many rows, and nothing moves on the screen. Bound to the view.
   */
  subscribe: (callback: (change: { shift: number; version: number }) => void) => () => void;
  /** Resolves when nothing is under way and every event that came is applied; rejects if the view has failed. */
  settled(): Promise<void>;
  /** Ends the stream. What is held stays readable. */
  close(): void;
}

/** Parses `text/event-stream` that comes in any pieces. */
export class EventParser {
  /** Takes a piece, and gives the events that ended in it. */
  feed(text: string): { event?: string; data?: string; id?: string; retry?: string }[];
}

/** The core of a {@link TreeView}: some rows of many, each at its index, without any network. */
export class SparseRows<Object = JSONValue> {
  /** @param derived True if rows have members that follow from other rows, and so are stale after each change of structure. */
  constructor(derived?: boolean);
  rowCount: number;
  readonly size: number;
  get(index: number): Row<Object> | undefined;
  indexOf(key: string): number;
  clear(): void;
  /** Holds the rows of a page, in place of those that were there. */
  put(offset: number, rows: Omit<Row<Object>, "index">[]): void;
  /** Applies the entries of a change list, in either format. Takes time in what is held and what the list has, not in what is between. */
  apply(changes: Change[], rowCount: number): void;
  /** The first row, from an old index on, that the last list left in its place among the others: its old and its new index. */
  retained(index: number): { from: number; to: number };
  /** The least range that has all rows between two indexes that are not held, or stale. */
  missing(first: number, last: number): { first: number; last: number } | undefined;
  /** Lets go of stale rows outside a range, and of the farthest from it beyond a number. */
  trim(first: number, last: number, most: number): void;
}

/** Method, path and kind of each operation of `openapi.yaml`. */
export const operations: Map<string, { method: string; path: string; writes: boolean }>;
/** Waits with full jitter before another attempt. */
export function pause(attempt: number, signal?: AbortSignal, error?: { retryAfter?: number }, base?: number): Promise<void>;
/** A new key for a write. */
export function newKey(): string;
