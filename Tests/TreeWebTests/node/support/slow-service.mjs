import { FakeService, FakeStream, json, problem } from "./fakes.mjs";

/**
 * A service on a slow line. Pages come late, requests for streams arrive late, and streams break. A
 * crash takes back what no stream was told.
 */
export class SlowService extends FakeService {
  #past = [];
  #durable = 0;
  #held = [];
  #polls = [];
  #holds = new Set();
  #told = [];
  #cuts = 0;
  #breaks = false;
  history = 0;

  constructor(count) {
    super(count);
    this.first = count;
    this.#past.push([...this.rows]);
  }

  /** True if a stream or a long poll is open. */
  get isFollowed() {
    return this.#polls.length > 0 || this.#told.some(({ stream }) => !stream.over);
  }

  list(changes) {
    const list = super.list(changes);
    this.#past.push([...this.rows]);
    return list;
  }

  /** Holds up pages or requests for streams from now on. */
  delay(kind) { this.#holds.add(kind); }

  release(kinds = ["page", "stream"]) {
    for (const kind of kinds) this.#holds.delete(kind);
    const held = this.#held;
    this.#held = held.filter(({ kind }) => !kinds.includes(kind));
    for (const { kind, free } of held) if (kinds.includes(kind)) free();
  }

  /** Tells the newest stream and the long polls what they do not know yet. */
  tell() {
    for (const poll of this.#polls.splice(0)) poll();
    const told = this.#told.at(-1);
    if (!told || told.stream.over || told.revision >= this.revision) return;
    told.stream.event("changes", this.listSince(told.revision));
    told.revision = this.#durable = this.revision;
  }

  reset() {
    const told = this.#told.at(-1);
    if (!told || told.stream.over) return;
    told.revision = this.#durable = this.revision;
    told.stream.event("reset", { revision: this.revision, rowCount: this.rows.length });
  }

  cut() { this.#told.at(-1)?.stream.fail(); }

  forgetHistory() { this.history = this.revision; }

  /** Ends and starts again. A proxy may send requests that were on their way to the new process. */
  crash({ resends = false } = {}) {
    this.revision = this.#durable;
    this.#past.length = this.revision + 1;
    this.lists.length = this.revision;
    this.rows = [...this.#past[this.revision]];
    this.history = Math.min(this.history, this.revision);
    this.#breaks = true;
    if (!resends) this.#cuts++;
    this.cut();
    for (const poll of this.#polls.splice(0)) poll();
  }

  async #pass(kind) {
    if (!this.#holds.has(kind)) return;
    const cuts = this.#cuts;
    await new Promise((free) => this.#held.push({ kind, free }));
    // An answer that left before a crash still arrives.
    if (kind === "stream" && cuts < this.#cuts) throw new TypeError("terminated");
  }

  async answer(request) {
    const isStream = request.headers.Accept === "text/event-stream";
    if (isStream) await this.#pass("stream");
    const answer = this.#answer(request, isStream) ?? await this.#poll(request);
    if (request.path.endsWith("/rows")) await this.#pass("page");
    return answer;
  }

  #answer(request, isStream) {
    if (this.#breaks) {
      this.#breaks = false;
      throw new TypeError("fetch failed");
    }
    if (!request.path.endsWith("/changes")) return this.answerNow(request);
    const since = Number(request.query.since), list = this.listSince(since);
    if (!list) {
      return problem(410, "history-expired",
        { revision: this.revision, rowCount: this.rows.length });
    }
    if (!isStream) {
      if (list.changes.length === 0 && request.query.wait > 0) return undefined;
      this.#durable = this.revision;
      return json(list);
    }
    const stream = new FakeStream(request.signal);
    this.#told.push({ stream, revision: since });
    this.tell();
    return stream.response;
  }

  /** Answers a long poll once there is news. */
  async #poll(request) {
    const cuts = this.#cuts;
    for (;;) {
      await new Promise((poll, fail) => {
        this.#polls.push(poll);
        request.signal.addEventListener("abort", fail);
      });
      if (cuts < this.#cuts) throw new TypeError("terminated");
      const answer = this.#answer(request, false);
      if (answer) return answer;
    }
  }
}
