import type { ChangeList, ChangeOptions, Operation, TreeError, TreeSession } from "./tree-client.js";

/** What an outbox keeps of a batch. */
export interface OutboxEntry {
  /** Given by the store. */
  id?: unknown;
  /** The key of the write. It is kept before the first attempt, so that no crash makes two of one. */
  key: string;
  operations: Operation[];
  options: ChangeOptions;
}

/** Where an outbox keeps its batches. */
export interface OutboxStore {
  /** All entries, in the order in which they were added. */
  all(): Promise<OutboxEntry[]>;
  add(entry: OutboxEntry): Promise<unknown>;
  remove(id: unknown): Promise<unknown>;
}

/** An event of an outbox. */
export interface OutboxEvent extends Event {
  readonly key: string;
  readonly operations?: Operation[];
  readonly answer?: ChangeList;
  readonly error?: TreeError;
}

/**
 * Batches that may be made offline: each is kept before it is sent, and they are sent one by one, in
 * order. Nothing is lost by a reload, a crash or a network that is away. Only a definite refusal
 * (4xx, but for 401, 408, 425 and 429) removes a batch that was not made, and says so.
 *
 * Events: `sent` (with `answer`), `rejected` (with `error`; the batch is not tried again), `blocked`
 * (401, 408 or 425: it is tried again; time to renew the credential), `error` (the store failed).
 *
 * The service knows the key of a write for a day. A batch that was sent, whose answer was lost, and
 * that is sent again later than that is made twice.
 */
export class Outbox extends EventTarget {
  /** Begins at once with what an earlier page kept. The store is one of the browser's, named after the session, if absent. */
  constructor(session: TreeSession, options?: { store?: OutboxStore });
  /** Keeps a batch, then sends it. Resolves when it is kept; its `sent` when it is made, or rejects. */
  add(operations: Operation[], options?: ChangeOptions): Promise<{ key: string; sent: Promise<ChangeList> }>;
  /** Sends what is kept, as after an `error`; resolves when nothing is left. */
  start(): Promise<void>;
  /** Sends nothing more. What is kept stays. */
  close(): void;
  addEventListener(
    type: "sent" | "rejected" | "blocked" | "error", listener: (event: OutboxEvent) => void,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener(
    type: string, listener: EventListenerOrEventListenerObject | null,
    options?: boolean | AddEventListenerOptions,
  ): void;
}

/** A store in the browser's database. Pages of one origin may share it. */
export function indexedDBStore(name: string): OutboxStore;
