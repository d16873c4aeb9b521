import { TreeClient, TreeSession } from "../../../../Sources/TreeWeb/client/tree-client.js";

/** Lets everything run that waits for nothing but other promises. */
export async function turn() {
  for (let i = 0; i < 8; i++) await new Promise((resolve) => setImmediate(resolve));
}

/** A clock that moves only by `advance`; everything due on the way is done in its order. */
export function fakeClock(t) {
  t.mock.timers.enable({ apis: ["setTimeout", "Date"] });
  return {
    async advance(milliseconds, step = 50) {
      await turn();
      for (let passed = 0; passed < milliseconds; passed += step) {
        t.mock.timers.tick(Math.min(step, milliseconds - passed));
        await turn();
      }
    },
  };
}

/** Collects errors that nobody handles, which browsers report and Node ends with. */
export function unhandled(t) {
  const errors = [], event = "unhandledRejection", listeners = process.listeners(event);
  const collect = (error) => errors.push(error.message);
  process.removeAllListeners(event).on(event, collect);
  t.after(() => {
    process.off(event, collect);
    for (const listener of listeners) process.on(event, listener);
  });
  return errors;
}

export const json = (value, { status = 200, headers = {} } = {}) =>
  new Response(JSON.stringify(value), {
    status, headers: { "Content-Type": "application/json", ...headers },
  });

export const problem = (status, code, more = {}, headers = {}) =>
  new Response(JSON.stringify({ status, code, title: code, detail: `${code}.`, ...more }), {
    status, headers: { "Content-Type": "application/problem+json", ...headers },
  });

/** A stream of events that a test writes piece by piece. */
export class FakeStream {
  constructor(signal) {
    const body = new ReadableStream({ start: (controller) => (this.controller = controller) });
    signal?.addEventListener("abort", () => {
      this.aborted = true;
      this.fail(signal.reason);
    });
    this.response = new Response(body, { headers: { "Content-Type": "text/event-stream" } });
  }
  send(text) {
    this.controller.enqueue(typeof text === "string" ? new TextEncoder().encode(text) : text);
  }
  event(type, data) { this.send(`event: ${type}\ndata: ${JSON.stringify(data)}\n\n`); }
  end() {
    if (!this.over) this.controller.close();
    this.over = true;
  }
  fail(error = new TypeError("terminated")) {
    if (!this.over) this.controller.error(error);
    this.over = true;
  }
}

/** A fetch that gives each request to a function, and remembers it. */
export function fakeFetch(answer) {
  const requests = [];
  const fetch = async (address, init = {}) => {
    const url = new URL(address);
    const request = {
      ...init, url, path: url.pathname, at: Date.now(), query: Object.fromEntries(url.searchParams),
      json: typeof init.body === "string" && init.headers["Content-Type"]?.includes("json")
        ? JSON.parse(init.body.split("\n")[0]) : undefined,
    };
    requests.push(request);
    if (init.signal?.aborted) throw init.signal.reason;
    return new Promise((resolve, reject) => {
      init.signal?.addEventListener("abort", () => reject(init.signal.reason));
      Promise.resolve(answer(request, requests.length)).then(resolve, reject);
    });
  };
  return { fetch, requests };
}

export const clientOf = (fetch, more) =>
  new TreeClient({ url: "http://tree.example", fetch, ...more });

/**
 * A service with one session over a flat list of keys. A test changes it and decides when it is told
 * of that: by answers at once, by the stream where it calls `tell`.
 */
export class FakeService {
  revision = 0;
  lists = [];
  streams = [];
  requests = [];
  hold = [];

  constructor(count) {
    this.rows = Array.from({ length: count }, (_, i) => this.row(`k${i}`));
    const { fetch, requests } = fakeFetch((request) => this.answer(request));
    Object.assign(this, { fetch, requests });
    this.session = new TreeSession(clientOf(fetch), "s_1");
  }

  row(key, object = 0) {
    return { key, parent: null, depth: 0, expanded: false, childState: "leaf", childCount: 0,
      selected: false, object };
  }

  list(changes) {
    const list = { session: "s_1", previousRevision: this.revision, revision: this.revision + 1,
      rowCount: this.rows.length, format: "ranges", changes };
    this.revision++;
    this.lists.push(list);
    return list;
  }

  insert(index, ...keys) {
    this.rows.splice(index, 0, ...keys.map((key) => this.row(key)));
    return this.list([{ type: "insert", newIndex: index, count: keys.length }]);
  }
  remove(index, count = 1) {
    this.rows.splice(index, count);
    return this.list([{ type: "delete", index, count }]);
  }
  move(index, newIndex) {
    const [row] = this.rows.splice(index, 1);
    this.rows.splice(newIndex, 0, row);
    return this.list([{ type: "move", key: row.key, index, newIndex, depth: 0, parent: null }]);
  }
  update(index, object) {
    this.rows[index] = { ...this.rows[index], object };
    return this.list([{ type: "update", index, newIndex: index, count: 1, fields: ["object"] }]);
  }

  tell(list = this.lists.at(-1)) { this.streams.at(-1).event("changes", list); }

  page({ offset = 0, limit = 100, since }) {
    if (offset > this.rows.length && since === undefined) {
      return problem(416, "range-not-satisfiable");
    }
    const from = Math.min(Number(offset), this.rows.length);
    return json({ session: "s_1", revision: this.revision, rowCount: this.rows.length,
      offset: from, ancestors: [], rows: this.rows.slice(from, from + Number(limit)),
      ...(since !== undefined && { changes: this.listSince(Number(since)) ?? null }) });
  }

  /** Everything between two revisions as one list, which is right, if not the shortest. */
  listSince(since) {
    if (since > this.revision || since < (this.history ?? 0)) return undefined;
    const lists = this.lists.slice(since);
    if (lists.length === 1) return lists[0];
    const before = lists.length ? this.countAt(since) : 0;
    return { session: "s_1", previousRevision: since, revision: this.revision,
      rowCount: this.rows.length, format: "ranges",
      changes: lists.length ? [{ type: "delete", index: 0, count: before },
        { type: "insert", newIndex: 0, count: this.rows.length }] : [] };
  }
  since(since) {
    const list = this.listSince(since);
    if (list) return json(list);
    return problem(410, "history-expired", { revision: this.revision, rowCount: this.rows.length });
  }
  countAt(revision) {
    return revision === 0 ? this.first : this.lists[revision - 1].rowCount;
  }

  async answer(request) {
    const held = this.hold.find(({ test }) => test(request));
    if (held) {
      this.hold.splice(this.hold.indexOf(held), 1);
      const early = held.now ? this.answerNow(request) : undefined;
      await new Promise((resolve) => (held.release = resolve));
      if (early) return early;
    }
    return this.answerNow(request);
  }

  answerNow(request) {
    if (this.intercept) {
      const answer = this.intercept(request);
      if (answer) return answer;
    }
    if (request.headers.Accept === "text/event-stream") {
      const stream = new FakeStream(request.signal);
      this.streams.push(stream);
      stream.send("retry: 1000\n: hello\n\n");
      return stream.response;
    }
    if (request.path.endsWith("/rows")) return this.page(request.query);
    if (request.path.endsWith("/changes")) return this.since(Number(request.query.since));
    if (request.path.endsWith("/batch")) return json(this.onBatch(request));
    throw new Error(`unexpected: ${request.method} ${request.url}`);
  }

  /** Holds the next request of a kind; answered with what is so then, or what is so `now`. */
  holdNext(end, now = true) {
    const held = { test: ({ path, headers }) => path.endsWith(end) && !headers.Accept, now };
    this.hold.push(held);
    return held;
  }

  get reads() { return this.requests.filter(({ path }) => path.endsWith("/rows")); }
}
