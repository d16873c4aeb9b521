export const operations = new Map(`createTree POST /v1/trees
listTrees GET /v1/trees
getTree GET /v1/trees/{tree}
deleteTree DELETE /v1/trees/{tree}
getTreeNodes POST /v1/trees/{tree}/nodes/get
getTreeNode GET /v1/trees/{tree}/nodes/{key}
listTreeChildren GET /v1/trees/{tree}/nodes/{key}/children
listTreeRoots GET /v1/trees/{tree}/children
applyTreeBatch POST /v1/trees/{tree}/batch
importNodes POST /v1/trees/{tree}/import
exportNodes GET /v1/trees/{tree}/export
createSession POST /v1/sessions
getSession GET $
patchSession PATCH $
deleteSession DELETE $
getState GET $/state
listRows GET $/rows
getRow GET $/rows/{index}
getNodes POST $/nodes/get
getNode GET $/nodes/{key}
putNode PUT $/nodes/{key}
patchNode PATCH $/nodes/{key}
deleteNode DELETE $/nodes/{key}
listChildren GET $/nodes/{key}/children
putChildren PUT $/nodes/{key}/children
listRoots GET $/children
putForest PUT $/forest
listAncestors GET $/nodes/{key}/ancestors
listSections GET $/sections
searchNodes GET $/search
applyBatch POST $/batch
followChanges GET $/changes
expandNode POST $/nodes/{key}/expand
collapseNode POST $/nodes/{key}/collapse
toggleNode POST $/nodes/{key}/toggle
revealNode POST $/nodes/{key}/reveal
selectNode POST $/nodes/{key}/select
deselectNode POST $/nodes/{key}/deselect
moveNode POST $/nodes/{key}/move
expandAll POST $/expandAll
collapseAll POST $/collapseAll
clearSelection POST $/clearSelection
getHealth GET /healthz
getReadiness GET /readyz
getMetrics GET /metrics
getDescription GET /openapi.yaml
getProblem GET /problems/{code}
getClientFile GET /client/{file}
getStart GET /
getExplorerStart GET /explorer
getExplorer GET /explorer/
getExplorerFile GET /explorer/{file}`.split("\n").map((line) => {
  const [name, method, path] = line.replace("$", "/v1/sessions/{session}").split(" ");
  return [name, { method, path, writes: method !== "GET" && !/get$/.test(path) }];
}));

export class TreeError extends Error {
  constructor(problem) {
    super(problem.detail, problem);
    Object.assign(this, { status: 0 }, problem, { name: "TreeError" });
    this.retryable = this.code === "no-answer" || /408|429|5../.test(this.status);
  }
}

const noAnswer = (cause) => cause instanceof TreeError ? cause
  : new TreeError({ code: "no-answer", detail: `No answer: ${cause.message}`, cause });

const refused = (detail, cause) => new TreeError({ code: "invalid-request", detail, cause });

export const pause = (attempt, signal, { retryAfter = 0 } = {}, base = 1000) =>
  sleep(retryAfter * 1000 + Math.random() * Math.min(32_000, base * 2 ** attempt), signal);

const sleep = (time, parent) => new Promise((resolve, reject) => {
  if (parent?.aborted) return reject(parent.reason);
  const { signal, feed, end } = watchdog(parent);
  signal.onabort = () => (parent?.aborted ? reject(parent.reason) : resolve());
  globalThis.addEventListener?.("online", end, { signal });
  feed(time);
});

function watchdog(parent) {
  let timer;
  const controller = new AbortController(), { signal } = controller;
  const end = () => {
    clearTimeout(timer);
    controller.abort(parent?.reason);
  };
  parent?.addEventListener("abort", end, { signal });
  if (parent?.aborted) end();
  return {
    signal,
    end,
    // In Node, bodies may miss the signal.
    race: (work) => new Promise((resolve, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason));
      work.then(resolve, reject);
    }),
    feed(time) {
      clearTimeout(timer);
      timer = setTimeout(end, Math.min(time, 2e9));
    },
  };
}

export const newKey = () => crypto.getRandomValues(new Uint32Array(4)).join("-");

const hidden = () => globalThis.document?.hidden;

const tell = async (callback, ...values) => callback?.(...values);

const defined = (members) => JSON.parse(JSON.stringify(members));

export class TreeClient {
  #credential;
  #fetch;

  constructor({ url = location.origin, credential, fetch } = {}) {
    this.url = new URL(url, globalThis.location).href.replace(/\/+$/, "");
    if (!/^http/.test(this.url)) throw refused(`${url} lacks http://`);
    this.#credential = credential;
    this.#fetch = (...request) => (fetch ?? globalThis.fetch)(...request);
  }

  async createSession(options = {}, init) {
    const made = await this.call("createSession", [], options, init);
    return new TreeSession(this, made.session, made.secret, made);
  }

  async openSession(id, { secret, ...init } = {}) {
    const session = new TreeSession(this, id, secret);
    session.description = await session.getSession(init);
    return session;
  }

  async send(name, values, body, options) {
    const { signal, credential, headers, ifMatch, idempotencyKey, timeout,
      attempts, onRetry, ...query } = options;
    const { method, path } = operations.get(name);
    values = [...values];
    const target = this.url + path.replace(/{\w+}/g, () => {
      const value = values.shift();
      // Browsers change these.
      if (/^\.\.?$|\p{Cs}/u.test(value)) throw refused(`no path for ${value}`);
      return encodeURIComponent(value);
    });
    let shown = credential ?? this.#credential, sent;
    try {
      if (shown?.call) shown = await shown();
      sent = defined({
        "If-Match": ifMatch >= 0 ? `"${ifMatch}"` : ifMatch, "Idempotency-Key": idempotencyKey,
        Authorization: shown ? `Bearer ${shown}` : undefined,
        "Content-Type": body === undefined ? body : "application/"
          + (/import/.test(name) ? "x-ndjson" : method === "PATCH" ? "merge-patch+json" : "json"),
        ...headers,
      });
      new Headers(sent);
    } catch (cause) {
      throw !sent && cause instanceof TypeError ? cause : refused(cause.message, cause);
    }
    const response = await this.#fetch(`${target}?${new URLSearchParams(defined(query))}`,
      { method, signal, duplex: "half", body, headers: sent });
    const { status } = response;
    if (response.ok || status === 304) return response;
    const text = await response.text();
    const problem = /problem/.test(response.headers.get("Content-Type")) && JSON.parse(text);
    throw new TreeError({ code: `http-${status}`, detail: response.statusText, ...problem, status,
      retryAfter: response.headers.get("Retry-After") | 0 });
  }

  async call(name, values, body, options = {}) {
    const { signal, timeout = 130_000, attempts = 7, onRetry,
      idempotencyKey = operations.get(name).writes ? newKey() : undefined } = options;
    if (!/import/.test(name)) body = JSON.stringify(body);
    for (let attempt = 0; ; attempt++) {
      const watch = watchdog(signal);
      try {
        if (!/import|export/.test(name)) watch.feed(timeout);
        const response = await watch.race(this.send(name, values, body,
          { ...options, idempotencyKey, signal: watch.signal }));
        if (name === "exportNodes") return response;
        if (response.status === 304) return null;
        const text = await watch.race(response.text());
        if (/json/.test(response.headers.get("Content-Type"))) return JSON.parse(text);
        return text || undefined;
      } catch (cause) {
        if (signal?.aborted) throw signal.reason;
        const error = noAnswer(cause);
        if (!error.retryable || attempt + 1 >= attempts || body?.getReader) throw error;
        tell(onRetry, error);
        await pause(attempt, signal, error);
      } finally {
        if (name !== "exportNodes") watch.end();
      }
    }
  }
}

export class TreeSession {
  #client;
  views = new Set();
  writing = 0;

  constructor(client, id, secret, description) {
    this.#client = client;
    Object.assign(this, { id, secret, description, revision: description?.revision });
  }

  #at(revision) {
    this.revision = Math.max(this.revision ?? 0, revision);
  }

  async call(name, values, body, options) {
    const { writes } = operations.get(name), [view] = this.views;
    const asked = {
      credential: this.secret,
      ...(writes && view && name !== "deleteSession" && { changes: "ranges", include: "rows",
        limit: view.pageSize, fields: view.fields.join() }),
      ...options,
    };
    this.writing += writes;
    try {
      const answer = await this.#client.call(name, [this.id, ...values], body, asked);
      if (answer?.revision >= 0) this.#at(answer.revision);
      if (writes && answer?.changes && !asked.dryRun && !asked.sections) {
        for (const view of this.views) {
          if (view.fields.join() === asked.fields) view.receive(answer, true);
        }
      }
      return answer;
    } finally {
      this.writing -= writes;
      for (const view of this.views) view.wrote();
    }
  }

  batch(operations, init) { return this.applyBatch({ operations }, init); }
  children(key, query) { return this.listRoots({ parent: key ?? undefined, ...query }); }
  insert(node, init) { return this.batch([{ op: "insert", ...node }], init); }

  view(options) { return new TreeView(this, options); }
  close() { for (const view of this.views) view.close(); }

  async *changes({ since, signal, onState, heartbeat = 15_000, ...query } = {}) {
    let at = since, attempt = 0, brief = 0, retry;
    while (!signal?.aborted) {
      const began = Date.now();
      let opened, failure;
      try {
        if (since?.call) at = await since();
        at ??= (await this.getSession({ signal })).revision;
        const told = brief < 3 ? this.#stream(at, query, signal, heartbeat)
          : this.#poll(at, query, signal, heartbeat);
        for await (const { state, list, wait } of told) {
          retry = wait ?? retry;
          if (state) tell(onState, opened = state, at);
          attempt = 0;
          if (!list) continue;
          this.#at(at = list.revision);
          yield list;
        }
      } catch (cause) {
        if (signal?.aborted) return;
        failure = noAnswer(cause);
        if (failure.code === "history-expired") {
          yield { reset: true, revision: at = failure.revision, rowCount: failure.rowCount };
          continue;
        }
        if (!failure.retryable) throw failure;
      }
      if (opened === "live") {
        brief = Date.now() - began < 1000 ? brief + 1 : 0;
        if (brief > 2) continue;
      } else if (!failure) {
        brief = 2;
        continue;
      }
      tell(onState, "offline");
      await pause(attempt, signal, failure, attempt++ ? 1000 : retry).catch(() => {});
    }
  }

  async *#stream(since, query, parent, heartbeat) {
    const watch = watchdog(parent);
    try {
      watch.feed(2 * heartbeat);
      const response = await watch.race(this.#client.send("followChanges", [this.id], undefined, {
        credential: this.secret, ...query, since, headers: { Accept: "text/event-stream" },
        signal: watch.signal,
      }));
      yield { state: "live" };
      const reader = response.body.getReader(), decoder = new TextDecoder();
      const parser = new EventParser();
      watch.signal.onabort = () => reader.cancel().catch(() => {});
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        watch.feed(2 * heartbeat);
        for (const { event, data, retry } of parser.feed(decoder.decode(value, { stream: true }))) {
          if (retry > 0) yield { wait: retry };
          if (!data) continue;
          const told = JSON.parse(data);
          if (event === "reset") told.reset = true;
          if (event !== "end") yield { list: told };
          else if (told.code === "shutting-down") return;
          else throw new TreeError({ status: 410, ...told });
        }
      }
    } finally {
      watch.end();
    }
  }

  async *#poll(since, { interval, ...query }, signal, heartbeat) {
    for (let end = Date.now() + 300_000, wait = 0; Date.now() < end; wait = 25) {
      const list = await this.followChanges({ ...query, since, wait, signal, attempts: 1,
        timeout: 25_000 + heartbeat });
      yield { state: "polling" };
      if (list.revision === since) continue;
      since = list.revision;
      yield { list };
      await sleep(interval, signal);
    }
  }
}

for (const op of "expand collapse toggle reveal select deselect remove move".split(" ")) {
  TreeSession.prototype[op] = function (keys, members, init) {
    return this.batch([{ op, [keys.map ? "keys" : "key"]: keys, ...members }], init);
  };
}

for (const [name, { path, method }] of operations) {
  const count = path.split(/{(?!s)/).length - 1;
  (/{s/.test(path) ? TreeSession : TreeClient).prototype[name] ??= function (...given) {
    const values = given.splice(0, count), body = /P/.test(method) ? given.shift() : undefined;
    return this.call(name, values, body, given[0]);
  };
}
const { listRows: rows, searchNodes: search, patchSession: patch } = TreeSession.prototype;
Object.assign(TreeSession.prototype, { rows, search, patch });

export class EventParser {
  #rest = "";
  #event = {};

  feed(text) {
    const events = [], rest = this.#rest + text;
    const lines = /[\r\n]/.test(text) ? rest.split(/\r\n|\n|\r(?!$)/) : [rest];
    this.#rest = lines.pop();
    for (const line of lines) {
      if (line) {
        const [, name, value] = /^([^:]*):? ?(.*)/s.exec(line), event = this.#event;
        event[name] = name === "data" && name in event ? `${event.data}\n${value}` : value;
      } else {
        events.push(this.#event);
        this.#event = {};
      }
    }
    return events;
  }
}

export class SparseRows {
  #slots = [];
  #byKey = new Map();
  #leaving = [];
  #arriving = [];
  rowCount = 0;

  constructor(derived = false) {
    this.derived = derived;
  }

  get size() { return this.#slots.length; }

  #set(slots) {
    this.#slots = slots.sort((a, b) => a.index - b.index);
    this.#byKey = new Map(slots.map((slot) => [slot.row.key, slot]));
  }

  #place(index) {
    let low = 0, high = this.size;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#slots[middle].index < index) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  get(index) {
    const slot = this.#slots[this.#place(index)];
    if (slot?.index !== index) return;
    if (slot.row.index !== index) slot.row = { ...slot.row, index };
    return slot.row;
  }

  indexOf(key) { return this.#byKey.get(key)?.index ?? -1; }

  clear() { this.#set([]); }

  put(offset, rows) {
    const slots = this.#slots.filter(({ index }) => !(index - offset in rows));
    rows.forEach((row, i) => {
      const index = offset + i, old = this.get(index), fresh = { ...row, index };
      const same = JSON.stringify(old) === JSON.stringify(fresh);
      slots.push({ index, row: same ? old : fresh });
    });
    this.#set(slots);
  }

  apply(changes, rowCount) {
    const leaving = [], arriving = [], updates = [];
    for (const change of changes) {
      const { type, key, index, newIndex: at, count = 1, row, rows = row ? [row] : [],
        ...more } = change;
      const moves = type === "move";
      if (moves || type === "delete") leaving.push({ at: index, count, moves, to: at, ...more });
      if (moves || type === "insert") arriving.push({ at, count, rows: moves ? [] : rows });
      if (type === "update") updates.push({ at, count, rows });
    }
    leaving.sort((a, b) => a.at - b.at);
    arriving.sort((a, b) => a.at - b.at);
    this.#leaving = leaving;
    this.#arriving = arriving;
    this.rowCount = rowCount;

    const slots = [];
    let left = 0, gone = 0, arrived = 0, came = 0, differs;
    for (const slot of this.#slots) {
      const { index } = slot;
      while (leaving[left]?.at + leaving[left]?.count <= index) gone += leaving[left++].count;
      const leave = leaving[left];
      if (leave?.at <= index) {
        differs = true;
        if (!leave.moves) continue;
        slot.index += leave.to - leave.at;
        const { count, depth } = leave;
        // Rows may differ.
        if (depth === undefined || (count > 1 && slot.row.section !== undefined)) slot.stale = true;
        else {
          const row = slot.row = { ...slot.row };
          for (const name in row) if (name in leave) row[name] = leave[name];
        }
      } else {
        while (arriving[arrived]?.at <= index - gone + came) came += arriving[arrived++].count;
        slot.index += came - gone;
      }
      slots.push(slot);
    }
    for (const { at, rows } of arriving) {
      rows.forEach((row, i) => (differs = slots.push({ index: at + i, row })));
    }
    if (differs) this.#set(slots);

    for (const { at, count, rows } of updates) {
      for (let place = this.#place(at); this.#slots[place]?.index < at + count; place++) {
        const slot = this.#slots[place], row = rows[slot.index - at];
        slot.stale = !row;
        slot.row = row ?? slot.row;
      }
    }
    if (changes.some(({ type }) => /Section/.test(type) || (this.derived && type !== "update"))) {
      for (const slot of this.#slots) slot.stale = true;
    }
  }

  retained(from) {
    let gone = 0, came = 0;
    for (const { at, count } of this.#leaving) {
      if (at <= from) {
        from = Math.max(from, at + count);
        gone += count;
      }
    }
    for (const { at, count } of this.#arriving) if (at <= from - gone + came) came += count;
    return { from, to: from - gone + came };
  }

  missing(first, last) {
    let found, place = this.#place(first);
    for (let index = first; index <= last; index++) {
      const slot = this.#slots[place];
      if (slot?.index === index && (place++, !slot.stale)) continue;
      found ??= { first: index };
      found.last = index;
    }
    return found;
  }

  trim(first, last, most, around = 0) {
    const far = ({ index }) => Math.max(first - index, index - last, 0);
    const slots = this.#slots.filter((slot) => !slot.stale || far(slot) <= around);
    if (slots.length > most) slots.sort((a, b) => far(a) - far(b)).length = most;
    if (slots.length < this.size) this.#set(slots);
  }
}


export class TreeView {
  #session;
  #rows;
  #shown = [];
  #stream = "loading";
  #retrying;
  #subscribers = new Set();
  #waiting = [];
  #queue = [];
  #pulling;
  #held;
  #reading;
  #beyond;
  #behind = true;
  #told = -1;
  #from = 0;
  #readAt = 0;
  #following;
  version = 0;
  anchor = null;
  status = "loading";

  constructor(session, { pageSize = 100, overscan = 1, maxRows = 10_000, interval = 100,
    heartbeat = 15_000, fields = ("parent depth section expanded childState childCount selected "
      + "matched object").split(" ") } = {}) {
    for (const number of [pageSize, maxRows, overscan + 1]) {
      if (!(number >= 1) || number % 1) throw new RangeError("wrong pageSize, maxRows or overscan");
    }
    Object.assign(this, { overscan, maxRows, interval, heartbeat,
      fields: [...new Set(["key", ...fields])],
      pageSize: Math.min(pageSize, maxRows, 1000) });
    this.#session = session;
    session.views.add(this);
    this.#rows = new SparseRows(/position|sibling|visible|sectionRow/.test(fields));
    this.range = { first: 0, last: this.pageSize - 1 };
    globalThis.document?.addEventListener("visibilitychange", this.#look);
    this.#look();
  }

  get rowCount() { return this.#rows.rowCount; }
  get size() { return this.#rows.size; }
  row(index) { return this.#rows.get(index); }
  indexOf(key) { return this.#rows.indexOf(key); }

  setRange(first, last) {
    first = Math.max(0, Math.floor(first));
    last = Math.min(Math.max(first, Math.floor(last)), first + this.maxRows - 1);
    this.range = { first, last };
    const read = this.#reading, around = this.overscan * this.pageSize;
    if (read?.last < first - around || read?.first > last + around) read.end();
    this.#show();
    this.#pull();
  }

  subscribe = (callback) => {
    this.#subscribers.add(callback);
    return () => this.#subscribers.delete(callback);
  };

  settled() {
    return new Promise((resolve, reject) => {
      this.#waiting.push(() => (this.error ? reject(this.error) : resolve()));
      this.settle();
    });
  }

  settle() {
    if (!this.closed && !this.error && (this.#pulling || this.#queue[0]
      || this.#session.writing || this.status === "loading")) return;
    for (const end of this.#waiting.splice(0)) end();
  }

  close() {
    this.closed = true;
    globalThis.document?.removeEventListener("visibilitychange", this.#look);
    this.#stop();
    this.#session.views.delete(this);
    this.settle();
  }

  receive(list, isAnswer) {
    if (!list.reset) this.#told = Math.max(this.#told, list.revision);
    // Answers have new rows, so events wait.
    this.#queue[isAnswer ? "unshift" : "push"](list);
    if (isAnswer || !this.#session.writing) this.#resume();
    else this.#held ??= setTimeout(() => this.#resume(), 300);
  }

  wrote() {
    if (this.#held && !this.#session.writing) this.#resume();
    this.settle();
  }

  #resume() {
    this.#held = clearTimeout(this.#held);
    if (!this.#reading) this.#drain();
  }

  #stop() {
    this.#following?.abort();
    this.#following = undefined;
    this.#stream = "loading";
    this.#reading?.end();
  }

  #look = () => {
    if (hidden()) this.#stop();
    else if (!this.#following && !this.error) this.#follow();
    this.#emit();
  };

  #fail(error) {
    if (this.closed) return;
    this.error = error;
    this.#stop();
    this.#emit();
  }

  async #follow() {
    const { signal } = this.#following = new AbortController();
    this.#behind = true;
    const { interval, heartbeat } = this, lists = this.#session.changes({
      since: async () => {
        while (this.#behind || this.#queue[0]) {
          await (this.#pull() ?? sleep(50, signal));
        }
        return this.revision;
      },
      changes: "ranges", interval, heartbeat, signal,
      onState: (state, from = 0) => {
        if (signal.aborted) return;
        if (state === "offline" || this.#stream === "live") {
          // A page may be from before a crash.
          this.#reading?.end();
          this.#doubt();
        }
        this.#stream = state;
        this.#from = from;
        this.#resume();
        this.#emit();
      },
    });
    try {
      for await (const list of lists) if (!signal.aborted) this.receive(list);
    } catch (error) {
      this.#fail(error);
    }
  }

  #reload() {
    this.revision = undefined;
    this.#behind = true;
  }

  #doubt() {
    // After a crash, the revision may have other rows.
    if (this.revision > this.#told && Date.now() - this.#readAt < 5000) this.#reload();
  }

  #wanted() {
    const { first, last: shown } = this.range, size = this.pageSize, rows = this.#rows;
    const around = this.overscan * size, end = this.rowCount - 1, last = Math.min(shown, end);
    const pages = (from, to) =>
      rows.missing(Math.max(0, from - from % size), Math.min(end, to - to % size + size - 1));
    if (this.#behind) {
      const from = this.revision === undefined ? first : Math.max(0, Math.min(first, end));
      return { first: from, last: Math.max(from, shown) };
    }
    const seen = rows.missing(first, last);
    if (seen) return pages(seen.first, seen.last);
    const near = Math.max(0, first - (around >> 1)), far = Math.min(end, last + (around >> 1));
    return last - first + 2 * (around + size) < this.maxRows && rows.missing(near, far)
      && pages(first - around, last + around);
  }

  #pull() {
    const want = !this.#pulling && !this.closed && !hidden() && !this.error && this.#wanted();
    if (want) this.#pulling = this.#read(want);
    else if (!this.#pulling) this.#emit();
    return this.#pulling;
  }

  async #read({ first, last }) {
    const since = this.revision, { signal, end } = watchdog();
    this.#reading = { first, last, end };
    try {
      const page = await this.#session.listRows({
        offset: this.#beyond ? 0 : first, limit: Math.min(last - first + 1, 1000),
        fields: this.fields.join(), ancestors: 0,
        ...(since !== undefined && { since, changes: "ranges" }),
        signal, attempts: Infinity, timeout: 2 * this.heartbeat, onRetry: () => {
          this.#retrying = true;
          this.#doubt();
          this.#emit();
        } });
      this.#beyond = false;
      if (since === this.revision && !signal.aborted) this.#take(page);
    } catch (error) {
      this.#beyond = error.status === 416;
      if (!this.#beyond && !signal.aborted) this.#fail(error);
    }
    this.#pulling = this.#reading = this.#retrying = undefined;
    this.#drain();
  }

  #take({ revision, rowCount, offset, rows, changes }) {
    if (changes) this.#apply(changes);
    else this.#rows.clear();
    this.#readAt = Date.now();
    this.#behind = false;
    this.revision = revision;
    this.#rows.rowCount = rowCount;
    this.#rows.put(offset, rows);
    this.#show();
  }

  #apply({ changes, rowCount, revision }) {
    const { first, last } = this.range, rows = this.#rows, kept = rows.indexOf(this.anchor);
    rows.apply(changes, rowCount);
    this.revision = revision;
    let from = kept, to = rows.indexOf(this.anchor);
    if (kept < 0 && first > 0) {
      ({ from, to } = rows.retained(first));
      if (from > last) to = -1;
    }
    const shift = to < 0 || to >= rowCount ? 0 : Math.max(to - from, -first);
    this.range = { first: first + shift, last: last + shift };
    this.#show(shift);
  }

  #drain() {
    const queue = this.#queue.sort((a, b) => a.revision - b.revision);
    while (queue[0]) {
      const { revision, previousRevision, reset } = queue[0];
      if (reset) this.#reload();
      else if (revision > this.revision) {
        if (previousRevision !== this.revision) {
          this.#behind = true;
          break;
        }
        this.#apply(queue[0]);
      }
      queue.shift();
    }
    // A late page may be older.
    if (this.revision < this.#from) {
      this.#behind = true;
      this.#from = 0;
    }
    this.#pull();
  }

  #show(shift = 0) {
    const shown = [this.rowCount], { first, last } = this.range;
    this.#rows.trim(first, last, this.maxRows, this.pageSize * (1 + this.overscan));
    for (let i = first; i <= last && i < this.rowCount; i++) shown.push(this.row(i));
    const before = this.#shown;
    this.#shown = shown;
    if (shift || shown.length !== before.length || shown.some((row, i) => row !== before[i])) {
      this.#tell(shift);
    }
  }

  #tell(shift = 0) {
    if (this.closed) return;
    this.version++;
    for (const callback of this.#subscribers) tell(callback, { shift, version: this.version });
  }

  #emit() {
    const status = this.error ? "failed" : hidden() ? "paused"
      : this.#retrying || this.#stream === "offline" ? "offline"
      : this.revision === undefined ? "loading" : this.#stream;
    if (status !== this.status) {
      this.status = status;
      this.#tell();
    }
    this.settle();
  }
}
