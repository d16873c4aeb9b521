/**
 * A client for the tree service: huge trees as flat lists of rows, kept up to date.
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
 * operation of `openapi.yaml` is a method with the name of its `operationId`. Above these methods
 * are {@link TreeSession.changes}, {@link TreeView} and `Outbox` (`outbox.js`).
 */

/** A JSON value. */
export type JSONValue = null | boolean | number | string | JSONValue[] | { [name: string]: JSONValue };

/** A revision, which grows by 1 with each batch that changes the session or tree. */
export type Revision = number;

/** The state of a node's children. */
export type ChildState = "leaf" | "unloaded" | "loading" | "failed" | "loaded";

/** A node as a session shows it. With `fields`, it has the requested members only. Rows of a view always have `index` and `key`. */
export interface Row<Object = JSONValue> {
  /** The position among all rows; null while the node is hidden. */
  index: number;
  key: string;
  /** The parent's key; null for a root. */
  parent?: string | null;
  /** The number of ancestors. */
  depth?: number;
  /** The name of the section; absent in trees without sections. */
  section?: string;
  sectionRow?: number | null;
  position?: number;
  siblingCount?: number;
  expanded?: boolean;
  childState?: ChildState;
  /** The number of children. A hint while they are not loaded; null if unknown. */
  childCount?: number | null;
  visibleDescendantCount?: number;
  selected?: boolean;
  /** True if the filter matches the node. Absent without a filter. */
  matched?: boolean;
  object?: Object;
}

export type RowField = Exclude<keyof Row, never>;

/** A new node, with everything below it. `children` is absent or null for a leaf, and `"unloaded"` if they are supplied later. */
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

/** The place of a node among its siblings. At most one member is allowed. */
export interface Place {
  index?: number;
  before?: string;
  after?: string;
  first?: true;
  sort?: SortDescriptor[];
}

export type Levels = number | "all";
type Keys = { key: string } | { keys: string[] };

/** An operation of a batch. It is applied to the result of the operations before it. */
export type Operation =
  | ({ op: "insert"; parent?: string | null } & NewNode & Place)
  | { op: "update"; key: string; object?: unknown; merge?: unknown }
  | ({ op: "remove" } & Keys)
  | ({ op: "move"; parent?: string | null; section?: string } & Keys & Place)
  | { op: "setChildren"; key?: string | null; section?: string; children: NewNode[] | "unloaded" | "loading" | "failed" | null; childCount?: number }
  | { op: "sort"; key?: string | null; section?: string; by: SortDescriptor[] }
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

/** An entry of a change list. `index` counts in the rows before the change, `newIndex` in the rows after it. */
export interface Change {
  type: "delete" | "insert" | "move" | "update" | "deleteSection" | "insertSection" | "moveSection" | "updateSection";
  key?: string;
  index?: number;
  newIndex?: number;
  /** The number of consecutive rows that the entry is about; 1 if absent. */
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
  /** The origin of the changes: the session's own requests, others, or both. Absent in the answer to a change. */
  origin?: "own" | "other" | "mixed";
  format: "rows" | "ranges" | "none";
  changes: Change[];
  /** The keys of expanded nodes whose children are not loaded yet. */
  unloaded: string[];
  /** The index of the first row that the last `reveal` revealed. */
  index?: number | null;
  reset?: undefined;
}

/** A gap in the history. Read the rows again, and continue from `revision`. */
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
  /** The changes since the requested revision; null if the history does not go back that far. */
  changes?: ChangeList | null;
}

/** A section as a session shows it. */
export interface Section {
  section: string;
  /** The index among the sections. */
  index: number;
  /** The number of its rows; 0 while it is collapsed. */
  rowCount: number;
  /** The index of its first row, or the index that it would have. */
  offset: number;
  /** The number of its roots. */
  rootCount: number;
  /** True if its roots are shown. */
  expanded: boolean;
}

export interface ChildRange<Object = JSONValue> {
  revision: Revision;
  parent: string | null;
  childCount: number | null;
  offset: number;
  /** The nodes. Those of a tree have no `index`. */
  nodes: (Omit<Row<Object>, "index"> & { index?: number | null })[];
}

export interface SessionOptions {
  /** The expansion of nodes that were not expanded or collapsed individually, such as a number of levels. */
  expansion?: number | "all" | "none";
  order?: "depthFirst" | "breadthFirst";
  /** The order of siblings in this session alone; null for that of the tree. */
  viewSort?: SortDescriptor[] | null;
  filter?: Filter | null;
  selection?: "none" | "single" | "multiple";
  nestedExpansion?: "remember" | "forget";
  accordion?: boolean;
  /** The time after which the idle session expires; 0 for never. */
  idleTimeoutSeconds?: number;
  /** The order of siblings of a private tree. */
  sort?: SortDescriptor[];
}

export interface NewSession extends SessionOptions {
  /** The id of a shared tree. If absent, the session gets a private tree. */
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

/** Options of every request, in addition to the parameters of its query. */
export interface RequestOptions {
  /** Cancels the request and its retries. */
  signal?: AbortSignal;
  /** The maximum number of attempts; 7 if absent. */
  attempts?: number;
  /** The time in milliseconds after which an attempt fails; 130 000 if absent. It does not apply to imports and exports. */
  timeout?: number;
  /** Called with the error before each retry. */
  onRetry?(error: TreeError): void;
  /** The only revision at which the request is carried out; at any other, it fails with 412. */
  ifMatch?: Revision | "*";
  /** Further header fields of the request. */
  headers?: Record<string, string>;
}

export interface WriteOptions extends RequestOptions {
  /** The idempotency key, with which the write is applied once even if it is sent repeatedly. If absent, the client creates one. Set it to continue an earlier write. */
  idempotencyKey?: string;
  dryRun?: boolean;
}

/**
 * Options of the answer to a change of a session. If all are absent and the session has a view, the
 * client asks for the form that the view needs: ranges with the new rows. With another form, the
 * view gets the change by its stream, a moment later.
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
  /** The expected revision; at any other, the request fails with 409 `revision-changed`. */
  revision?: Revision;
}

export interface RangeQuery extends ReadOptions {
  offset?: number;
  /** The maximum number of nodes, 1 to 1000; 100 if absent. */
  limit?: number;
}

export interface RowsQuery extends RangeQuery {
  /** The key of a row. The page then has the rows around it. */
  around?: string;
  before?: number;
  after?: number;
  ancestors?: number;
  /** The revision since which the page also has the changes, in the format of `changes`. */
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
  /** The key after which the next page begins; null at the end. */
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

/**
 * An answer that reports an error (RFC 9457), or the lack of an answer: then `status` is 0, and `code`
 * is `no-answer`. For a request that cannot be sent, such as one with a key of two lines, it is
 * `invalid-request`.
 */
export class TreeError extends Error {
  constructor(problem: { status: number; code: string; detail?: string; [member: string]: unknown });
  readonly name: "TreeError";
  readonly status: number;
  readonly code: string;
  /** A sentence that says what to do. */
  readonly detail?: string;
  /** The index in the batch of the operation that failed. */
  readonly operation?: number;
  readonly key?: string;
  readonly pointer?: string;
  readonly revision?: Revision;
  readonly limit?: number;
  /** The time in seconds after which a retry is welcome (`Retry-After`); 0 if it is not given. */
  readonly retryAfter?: number;
  /** True for 408, 429, 5xx and lost connections: the same request may succeed later. */
  readonly retryable: boolean;
}

export interface ClientOptions {
  /** The address of the service, such as `http://127.0.0.1:8080`, with the path before `/v1` if there is one. If absent, the origin of the page. */
  url?: string;
  /**
   * A key of the service, or a function that returns one. It is called for each request, so that the
   * key can be renewed. If it fails with a `TypeError`, as `fetch` does without a network, the request
   * is made again later. Any other error ends the request.
   */
  credential?: string | null | (() => string | null | Promise<string | null>);
  /** A replacement for the global `fetch`. */
  fetch?: typeof fetch;
}

/**
 * The connection to a tree service.
 *
 * Requests are sent again after 408, 429, 5xx and lost connections, at most `attempts` times in all. The
 * wait is that of `Retry-After` and a random time (full jitter) of up to 1 s, which doubles up to
 * 32 s. After other errors, the promise rejects with a {@link TreeError} at once.
 */
export class TreeClient {
  constructor(options?: ClientOptions);
  readonly url: string;

  /** Creates a session. */
  createSession(options?: NewSession, init?: WriteOptions): Promise<TreeSession>;
  /** Opens a session by its id, and if the service has keys, by its `secret`. */
  openSession(id: string, options?: { secret?: string | null } & RequestOptions): Promise<TreeSession>;

  createTree(tree: { tree?: string; sort?: SortDescriptor[]; sections?: string[]; nodes?: NewNode[] }, options?: WriteOptions): Promise<TreeDescription>;
  listTrees(query?: { limit?: number; after?: string } & RequestOptions): Promise<{ trees: TreeDescription[]; next: string | null }>;
  getTree(tree: string, options?: ReadOptions): Promise<TreeDescription>;
  deleteTree(tree: string, options?: WriteOptions): Promise<void>;
  getTreeNodes(tree: string, query: { keys: string[]; fields?: RowField[] }, options?: ReadOptions): Promise<{ revision: Revision; nodes: (Partial<Row> | null)[] }>;
  getTreeNode(tree: string, key: string, options?: ReadOptions): Promise<{ tree: string; revision: Revision; node: Partial<Row> }>;
  listTreeChildren(tree: string, key: string, query?: RangeQuery): Promise<ChildRange>;
  listTreeRoots(tree: string, query?: RangeQuery & { parent?: string; section?: string }): Promise<ChildRange>;
  applyTreeBatch(tree: string, batch: { operations: Operation[] }, options?: WriteOptions): Promise<TreeChange>;
  /** Imports lines of JSON (`{"key", "parent"?, "object"?}`). A stream can be sent only once, so it is not retried. */
  importNodes(tree: string, lines: string | Blob | Uint8Array | ReadableStream<Uint8Array>, options?: WriteOptions): Promise<TreeChange>;
  /** Resolves with the response, whose body is streamed. */
  exportNodes(tree: string, options?: RequestOptions): Promise<Response>;
  getHealth(options?: RequestOptions): Promise<{ status: "ok" }>;
  getReadiness(options?: RequestOptions): Promise<{ status: "ready" }>;
  getMetrics(options?: RequestOptions): Promise<string>;
  getDescription(options?: RequestOptions): Promise<string>;
  getProblem(code: string, options?: RequestOptions): Promise<string>;
  /** Reads a file of this client, as text. */
  getClientFile(file: string, options?: RequestOptions): Promise<string>;
  /** Reads the page of the explorer, to which `/` redirects browsers. */
  getStart(options?: RequestOptions): Promise<string>;
  getExplorerStart(options?: RequestOptions): Promise<string>;
  getExplorer(options?: RequestOptions): Promise<string>;
  /** Reads a file of the explorer, as text. */
  getExplorerFile(file: string, options?: RequestOptions): Promise<string>;
}

export interface FollowOptions {
  /** The revision after which the lists begin; if absent, changes from now on. A function is called for each connection. */
  since?: Revision | (() => Revision | undefined | Promise<Revision | undefined>);
  /** Ends the iteration. */
  signal?: AbortSignal;
  /** The minimum time between two lists in milliseconds; 0 for a list for each revision. */
  interval?: number;
  changes?: "rows" | "ranges" | "none";
  include?: "rows";
  limit?: number;
  fields?: string | RowField[];
  sections?: boolean;
  /** The service's `heartbeatSeconds` in milliseconds; 15 000 if absent. A connection that is silent for twice as long is replaced. */
  heartbeat?: number;
  /** Called when the state of following changes: by a stream, by long polls, or not at all. */
  onState?(state: "live" | "polling" | "offline"): void;
}

/**
 * A session: one view of a tree, with its own expansion, filter and selection.
 *
 * Writes have an `Idempotency-Key`, so that a write is applied once even if it is sent again after
 * its answer was lost.
 */
export class TreeSession {
  /** Creates a handle of an existing session, without a request. */
  constructor(client: TreeClient, id: string, secret?: string, description?: SessionDescription);
  readonly id: string;
  /** The secret that opens only this session; absent if the service has no keys. */
  readonly secret?: string;
  /** The description of the session when it was created or opened. */
  readonly description?: SessionDescription;
  /** The newest revision in any answer. */
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
  /** Reads a page of rows. {@link view} keeps rows up to date. */
  rows(query?: RowsQuery): Promise<RowPage>;
  /** Reads a range of a node's children, expanded or not. If the key is null, reads the roots. */
  children(key: string | null, query?: RangeQuery): Promise<ChildRange>;
  search(query: SearchQuery): Promise<SearchAnswer>;
  /** Changes options. The answer has the changes of the rows. */
  patch(options: SessionOptions, init?: ChangeOptions): Promise<SessionDescription & ChangeList>;

  /**
   * Iterates over the change lists after `since`, until the session ends.
   *
   * Uses an event stream. If three streams in a row last less than a second, as behind some proxies,
   * it polls instead, and tries a stream again after five minutes. It reconnects by itself and misses
   * nothing. Missed changes come as one list, or as a {@link Reset} if the history does not go back
   * that far. Throws a {@link TreeError} when the session has ended. A `signal` ends the iteration
   * without an error. An `online` event of the window ends the wait for the next attempt.
   */
  changes(options?: FollowOptions): AsyncGenerator<ChangeList | Reset, void, void>;

  /** Creates a window of rows that is kept up to date. Each view has a connection of its own. */
  view<Object = JSONValue>(options?: ViewOptions): TreeView<Object>;
  /** Closes all views. The session itself continues; {@link deleteSession} ends it. */
  close(): void;

  getSession(options?: ReadOptions): Promise<SessionDescription>;
  patchSession(options: SessionOptions, init?: ChangeOptions): Promise<SessionDescription & ChangeList>;
  deleteSession(options?: WriteOptions): Promise<void>;
  /** Reads the options, expansion and selection, in the form of `state` in {@link NewSession}. */
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
  listAncestors(key: string, options?: ReadOptions): Promise<{ revision: Revision; ancestors: (Omit<Row, "index"> & { index: number | null })[] }>;
  listSections(options?: ReadOptions): Promise<Section[]>;
  searchNodes(query: SearchQuery): Promise<SearchAnswer>;
  applyBatch(batch: { operations: Operation[] }, options?: ChangeOptions): Promise<ChangeList>;
  /** Reads the net list since a revision once; with `wait`, waits up to that many seconds for a change. To follow, use {@link changes}. */
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

/** Options of a view. The numbers of rows and pages must be whole: if not, `view` throws a `RangeError`. */
export interface ViewOptions {
  /** The number of rows that are read together, from 1 on; 100 if absent. At most 1000 and `maxRows` are read. */
  pageSize?: number;
  /** The number of pages that are read before and after the shown rows, from 0 on; 1 if absent. */
  overscan?: number;
  /** The maximum number of held rows, from 1 on; 10 000 if absent. */
  maxRows?: number;
  /**
   * The members of the rows. If absent, all that change lists keep up to date: `parent`, `depth`,
   * `section`, `expanded`, `childState`, `childCount`, `selected`, `matched` and `object`. The others
   * (`position`, `siblingCount`, `visibleDescendantCount`, `sectionRow`) depend on rows that a window
   * does not hold. With any of them, the shown rows are read again after each change of structure.
   */
  fields?: RowField[];
  /** The minimum time between two events in milliseconds; 100 if absent. Changes by this session are shown at once. */
  interval?: number;
  /** The service's `heartbeatSeconds` in milliseconds; 15 000 if absent. */
  heartbeat?: number;
}

/**
 * The status of a view. `loading`: the first page is being read, or the stream is being opened.
 * `live`: a stream is open. `polling`: long polls replace the stream. `paused`: the page is hidden,
 * and no requests are sent. `offline`: the service does not answer, and the view tries again.
 * `failed`: the session has ended, or a request was refused for good; see `error`.
 */
export type ViewStatus = "loading" | "live" | "polling" | "paused" | "offline" | "failed";

/**
 * A window of rows that change lists keep up to date. The held rows are always of one revision. The
 * view reads the shown rows first and then those around them. It holds at most `maxRows` rows,
 * however large the tree is.
 */
export class TreeView<Object = JSONValue> {
  /** The number of all rows. */
  readonly rowCount: number;
  /** The number of held rows. */
  readonly size: number;
  /** The revision of the held rows; undefined until the first page is read. */
  readonly revision?: Revision;
  /** A number that grows with every visible change: of a shown row, `rowCount`, `range` or `status`. */
  readonly version: number;
  readonly status: ViewStatus;
  /** The error if `status` is `failed`. */
  readonly error?: Error;
  readonly pageSize: number;
  readonly maxRows: number;
  readonly fields: RowField[];
  /** The shown range: that of the last `setRange`, shifted by later changes above it. */
  readonly range: { first: number; last: number };

  /**
   * The key of the row that keeps its place on the screen when rows come or go above it. If null,
   * this is the first row of the range. At the very top, new rows push the others down.
   */
  anchor: string | null;

  /** Returns the row at an index; undefined if it is not read yet, or beyond the last row. It is the same object until a member changes. */
  row(index: number): Row<Object> | undefined;
  /** Returns the index of a held row; -1 if it is not held. */
  indexOf(key: string): number;
  /** Sets the range of rows that the page shows, both ends included, so that they are read. May be called for each scroll event. */
  setRange(first: number, last: number): void;
  /**
   * Adds a function that is called after each visible change, and returns one that removes it. An
   * error that it throws is an unhandled rejection, and does not change the view.
   * `shift` is the number of rows by which the range moved. Scroll by as many rows, so that the rows
   * keep their places on the screen. Bound to the view.
   */
  subscribe: (callback: (change: { shift: number; version: number }) => void) => () => void;
  /** Resolves when no read or write is running and all received events are applied. Rejects if the view has failed. */
  settled(): Promise<void>;
  /** Ends the stream. The held rows stay readable. */
  close(): void;
}

/** A parser of `text/event-stream`, which may be split anywhere. */
export class EventParser {
  /** Parses a piece, and returns the events that end in it. */
  feed(text: string): { event?: string; data?: string; id?: string; retry?: string }[];
}

/** The data of a {@link TreeView}: a sparse list of rows by index, without any network. */
export class SparseRows<Object = JSONValue> {
  /** @param derived True if rows have members that depend on other rows, so that all are stale after each change of structure. */
  constructor(derived?: boolean);
  rowCount: number;
  readonly size: number;
  get(index: number): Row<Object> | undefined;
  indexOf(key: string): number;
  clear(): void;
  /** Stores the rows of a page, and replaces held rows at the same indexes. */
  put(offset: number, rows: Omit<Row<Object>, "index">[]): void;
  /** Applies the entries of a change list, in either format. The cost depends on the held rows and the entries, not on the number of all rows. */
  apply(changes: Change[], rowCount: number): void;
  /** Returns the old and the new index of the first row, from an old index on, that the last list neither deleted nor moved. */
  retained(index: number): { from: number; to: number };
  /** Returns the smallest range that contains all missing and stale rows between two indexes. */
  missing(first: number, last: number): { first: number; last: number } | undefined;
  /** Removes stale rows more than `around` rows outside a range (0 if absent), and the rows farthest from the range if there are more than `most`. */
  trim(first: number, last: number, most: number, around?: number): void;
}

/** The method and path of each operation of `openapi.yaml`; `writes` is true if it changes something. */
export const operations: Map<string, { method: string; path: string; writes: boolean }>;
/** Waits a random time before another attempt (full jitter). */
export function pause(attempt: number, signal?: AbortSignal, error?: { retryAfter?: number }, base?: number): Promise<void>;
/** Returns a new idempotency key. */
export function newKey(): string;
