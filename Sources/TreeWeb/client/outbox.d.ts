import type { ChangeList, ChangeOptions, Operation, TreeError, TreeSession } from "./tree-client.js";

/** A batch in the store of an outbox. */
export interface OutboxEntry {
  /** The id that the store assigns. */
  id?: unknown;
  /** The idempotency key. It is stored before the first attempt, so that a crash does not lead to two writes. */
  key: string;
  operations: Operation[];
  options: ChangeOptions;
}

/** The store of an outbox's batches. */
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
 * A queue of batches that works offline: each is stored first, and then sent in order. A reload, a
 * crash or a missing network loses nothing. A batch leaves the store when it is applied, or when it
 * is refused for good: by a 4xx other than 401, 408, 425 and 429.
 *
 * Events: `sent` (with `answer`), `rejected` (with `error`; the batch is not sent again), `blocked`
 * (after 401 or 425, or an answer that is not from the service; it will be sent again; after
 * 401, renew the credential), and `error` (the store failed). Of pages that share a store, the one
 * that sends a batch reports it, and the one that added it as well.
 *
 * The service remembers the key of a write for a day. If the answer to a batch is lost and the batch
 * is sent again later than that, it is applied twice.
 */
export class Outbox extends EventTarget {
  /** Creates an outbox, and begins to send the stored batches. If `store` is absent, it is a database of the browser, named after the session. */
  constructor(session: TreeSession, options?: { store?: OutboxStore });
  /** Stores a batch, and then sends it. Resolves when it is stored. Its `sent` resolves when it is applied, or rejects, also when the outbox is closed. */
  add(operations: Operation[], options?: ChangeOptions): Promise<{ key: string; sent: Promise<ChangeList> }>;
  /** Begins to send the stored batches again, for example after an `error`. Resolves when none is left. */
  start(): Promise<void>;
  /** Stops sending. The stored batches stay in the store. */
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

/** Returns a store in the browser's database. Pages of one origin may share it. */
export function indexedDBStore(name: string): OutboxStore;
