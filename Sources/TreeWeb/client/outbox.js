// A queue of batches that works offline; documented in outbox.d.ts.
import { TreeError, newKey, pause } from "./tree-client.js";

// A retry must have the same query, whichever views are open: its key is bound to the query.
const PLAIN = { changes: undefined, include: undefined, limit: undefined, fields: undefined };

export class Outbox extends EventTarget {
  #session;
  #store;
  #running = Promise.resolve();
  #stopping = new AbortController();
  #waiting = new Map();

  constructor(session, { store = indexedDBStore(`tree-outbox-${session.id}`) } = {}) {
    super();
    this.#session = session;
    this.#store = store;
    this.start();
  }

  async add(operations, options = {}) {
    this.#stopping.signal.throwIfAborted();
    // A store may take what a request cannot have.
    JSON.stringify(operations);
    const entry = { key: newKey(), operations, options }, waiting = { entry };
    const sent = new Promise((resolve, reject) => Object.assign(waiting, { resolve, reject }));
    // A rejection that the caller ignores is reported by an event.
    sent.catch(() => {});
    this.#waiting.set(entry.key, waiting);
    await this.#store.add(entry);
    waiting.stored = true;
    this.start();
    return { key: entry.key, sent };
  }

  start() {
    return (this.#running = this.#running.then(() => this.#drain()));
  }

  close() {
    this.#stopping.abort();
    for (const { reject } of this.#waiting.values()) reject(this.#stopping.signal.reason);
  }

  async #drain() {
    // Pages of one origin share the store, so only one of them sends, in order.
    const locks = globalThis.navigator?.locks, { signal } = this.#stopping;
    const work = async () => {
      const own = [...this.#waiting.values()].filter(({ stored }) => stored);
      const entries = await this.#store.all(), keys = new Set(entries.map(({ key }) => key));
      // Another page has sent the others. The service gives their answers again.
      for (const { entry } of own) if (!keys.has(entry.key)) await this.#send(entry);
      for (const entry of entries) await this.#send(entry);
    };
    try {
      if (signal.aborted) return;
      await (locks ? locks.request(`tree-outbox-${this.#session.id}`, { signal }, work) : work());
    } catch (error) {
      if (!signal.aborted) this.#say("error", { error });
    }
  }

  async #send({ id, key, operations, options }) {
    const { signal } = this.#stopping;
    for (let attempt = 0; ; attempt++) {
      let answer, error;
      try {
        answer = await this.#session.batch(operations,
          { ...PLAIN, ...options, idempotencyKey: key, attempts: Infinity, signal });
      } catch (caught) {
        if (signal.aborted || !(caught instanceof TreeError)) throw caught;
        error = caught;
      }
      // A retry may succeed, because the credential was renewed or the network got faster.
      const { status } = error ?? {};
      if (status < 400 || status > 499 || [401, 425].includes(status)) {
        this.#say("blocked", { error, key });
        await pause(attempt, signal);
        continue;
      }
      if (id !== undefined) await this.#store.remove(id);
      const sent = this.#waiting.get(key);
      this.#waiting.delete(key);
      if (error) sent?.reject(error);
      else sent?.resolve(answer);
      this.#say(error ? "rejected" : "sent", { key, operations, options, answer, error });
      return;
    }
  }

  #say(type, details) {
    this.dispatchEvent(Object.assign(new Event(type), details));
  }
}

/** Returns a store in the browser's database. */
export function indexedDBStore(name) {
  const database = new Promise((resolve, reject) => {
    const open = indexedDB.open(name, 1);
    open.onupgradeneeded = () =>
      open.result.createObjectStore("entries", { keyPath: "id", autoIncrement: true });
    open.onsuccess = () => resolve(open.result);
    open.onerror = () => reject(open.error);
  });
  const act = async (mode, use) => {
    const transaction = (await database).transaction("entries", mode, { durability: "strict" });
    const request = use(transaction.objectStore("entries"));
    return new Promise((resolve, reject) => {
      transaction.oncomplete = () => resolve(request.result);
      transaction.onabort = transaction.onerror = () => reject(transaction.error);
    });
  };
  return {
    all: () => act("readonly", (entries) => entries.getAll()),
    add: (entry) => act("readwrite", (entries) => entries.add(entry)),
    remove: (id) => act("readwrite", (entries) => entries.delete(id)),
  };
}
