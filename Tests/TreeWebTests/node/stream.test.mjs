import assert from "node:assert/strict";
import test from "node:test";
import { EventParser, TreeSession } from "../../../Sources/TreeWeb/client/tree-client.js";
import { FakeStream, clientOf, fakeClock, fakeFetch, json, problem, turn, unhandled }
  from "./support/fakes.mjs";

const list = (revision, more) => ({ previousRevision: revision - 1, revision, rowCount: 1,
  format: "ranges", changes: [], ...more });

/** Follows a session whose requests `answer` answers, and collects what comes. */
function follow(answer, options) {
  const { fetch, requests } = fakeFetch(answer);
  const session = new TreeSession(clientOf(fetch), "s_1");
  const told = [], states = [], ending = new AbortController();
  const result = { requests, told, states, end: () => ending.abort() };
  result.done = (async () => {
    for await (const one of session.changes({ since: 0, signal: ending.signal,
      onState: (state) => states.push(state), ...options })) told.push(one);
  })();
  result.done.catch((error) => (result.error = error));
  return result;
}

test("events are the same wherever the bytes of a stream are split", () => {
  const text = "\uFEFFretry: 1500\r\n: comment\r\n\r\nevent: changes\rid: 7\rdata: {\"a\":\rdata: \"ä€😀\"}\r\r"
    + "data:no space\n\nevent: ignored\n\nevent: end\r\ndata: 1\r\n\r\n: bye\n\ndata: unfinished\n";
  const bytes = new TextEncoder().encode(text);
  const parse = (...pieces) => {
    const parser = new EventParser(), decoder = new TextDecoder();
    return pieces.flatMap((piece) => parser.feed(decoder.decode(piece, { stream: true })));
  };
  const whole = [
    { "": "comment", retry: "1500" },
    { event: "changes", id: "7", data: '{"a":\n"ä€😀"}' },
    { data: "no space" },
    { event: "ignored" },
    { event: "end", data: "1" },
    { "": "bye" },
  ];
  assert.deepEqual(parse(bytes), whole);
  for (let cut = 0; cut <= bytes.length; cut++) {
    assert.deepEqual(parse(bytes.slice(0, cut), bytes.slice(cut)), whole, `cut at ${cut}`);
  }
  assert.deepEqual(parse(...[...bytes].map((byte) => Uint8Array.of(byte))), whole);
});

test("a large event costs no more per byte than a small one", () => {
  // The pieces without an end of a line are joined, and not looked through again.
  const piece = "x".repeat(1 << 16), parser = new EventParser();
  let looked = 0;
  const { split } = String.prototype;
  String.prototype.split = function (...given) {
    looked += this.length;
    return split.apply(this, given);
  };
  try {
    assert.deepEqual(parser.feed("data: "), []);
    for (let i = 0; i < 64; i++) assert.deepEqual(parser.feed(piece), []);
    assert.equal(parser.feed("\n\n")[0].data.length, 64 << 16);
  } finally {
    String.prototype.split = split;
  }
  assert.ok(looked < 65 << 16, `${looked} characters`);
});

test("lists come as they are streamed, with the credentials in a header", async (t) => {
  fakeClock(t);
  let stream;
  const followed = follow(({ signal }) => (stream = new FakeStream(signal)).response,
    { interval: 250 });
  await turn();
  stream.event("changes", list(1));
  await turn();
  assert.deepEqual(followed.told, [list(1)]);
  assert.deepEqual(followed.states, ["live"]);
  assert.equal(followed.requests[0].headers.Accept, "text/event-stream");
  assert.deepEqual(followed.requests[0].query, { since: "0", interval: "250" });
  followed.end();
  await followed.done;
  assert.ok(stream.aborted);
});

test("a stream that breaks goes on behind the last list, half an event is none", async (t) => {
  const clock = fakeClock(t);
  t.mock.method(Math, "random", () => 0.999);
  const streams = [];
  const followed = follow(({ signal }) => {
    streams.push(new FakeStream(signal));
    return streams.at(-1).response;
  });
  await turn();
  streams[0].send("retry: 3000\n\n");
  streams[0].event("changes", list(1));
  await clock.advance(2000);
  streams[0].send(`event: changes\ndata: ${JSON.stringify(list(2))}\n`);
  await turn();
  streams[0].fail();
  await clock.advance(2900);
  assert.equal(streams.length, 1, "it waits as long as the service says");
  await clock.advance(200);
  assert.equal(followed.requests[1].query.since, "1");
  assert.deepEqual(followed.states, ["live", "offline", "live"]);
  streams[1].event("changes", list(2));
  await turn();
  assert.deepEqual(followed.told.map(({ revision }) => revision), [1, 2]);
  followed.end();
});

test("a connection that says nothing for two heartbeats is given up, one that speaks is not",
  async (t) => {
    const clock = fakeClock(t);
    const streams = [];
    const followed = follow(({ signal }) => {
      streams.push(new FakeStream(signal));
      return streams.at(-1).response;
    });
    await turn();
    for (let i = 0; i < 10; i++) {
      await clock.advance(15_000, 500);
      streams[0].send(": still here\n\n");
    }
    await clock.advance(29_000, 500);
    assert.equal(streams.length, 1);
    await clock.advance(3_000, 500);
    assert.ok(streams[0].aborted);
    assert.equal(streams.length, 2);
    followed.end();
  });

test("a silent stream that a signal does not reach is given up all the same", async (t) => {
  const clock = fakeClock(t);
  const followed = follow(() => new FakeStream().response);
  await clock.advance(40_000, 500);
  assert.deepEqual(followed.states.slice(0, 3), ["live", "offline", "live"]);
  followed.end();
  await followed.done;
});

test("three connections that last under a second are followed by long polls", async (t) => {
  const clock = fakeClock(t);
  t.mock.method(Math, "random", () => 0.5);
  const polls = [];
  const followed = follow(({ headers, query, signal }) => {
    if (headers.Accept) {
      const stream = new FakeStream(signal);
      setTimeout(() => stream.end(), 500);
      return stream.response;
    }
    return new Promise((resolve) => polls.push({ query, resolve }));
  });
  await clock.advance(10_000);
  assert.equal(followed.requests.filter(({ headers }) => headers.Accept).length, 3);
  assert.equal(polls.length, 1);
  // The first answer does not wait, and shows that the service is there.
  assert.deepEqual(polls[0].query, { since: "0", wait: "0" });
  polls[0].resolve(json(list(1)));
  await clock.advance(50);
  assert.deepEqual(followed.told, [list(1)]);
  assert.equal(followed.states.at(-1), "polling");
  assert.deepEqual(polls[1].query, { since: "1", wait: "25" });
  polls[1].resolve(json(list(1, { previousRevision: 1 })));
  await turn();
  assert.equal(followed.told.length, 1, "an empty list is none");
  assert.equal(polls.length, 3);
  followed.end();
});

/** Answers polls with what changed since, at a revision that a test sets. */
const polled = (now) => ({ query }) => json({ ...list(now()), previousRevision: +query.since });

test("polls bring no more lists than one per interval", async (t) => {
  const clock = fakeClock(t);
  t.mock.method(Math, "random", () => 0.5);
  let revision = 0;
  const answer = polled(() => ++revision);
  const followed = follow((request) => {
    if (!request.headers.Accept) return answer(request);
    const stream = new FakeStream(request.signal);
    stream.end();
    return stream.response;
  }, { interval: 250 });
  await clock.advance(10_000);
  const before = followed.told.length;
  await clock.advance(10_000);
  const count = followed.told.length - before;
  assert.ok(count >= 39 && count <= 40, `${count} lists`);
  assert.equal(followed.states.at(-1), "polling");
  followed.end();
  await followed.done;
});

test("a stream is tried again after five minutes of polls, without being offline", async (t) => {
  const clock = fakeClock(t);
  t.mock.method(Math, "random", () => 0.5);
  let isBrief = true, polls = 0, streams = 0, stream;
  const followed = follow(({ headers, signal }) => {
    if (headers.Accept) {
      streams++;
      stream = new FakeStream(signal);
      if (isBrief) setTimeout(stream.end.bind(stream), 500);
      return stream.response;
    }
    polls++;
    return new Promise((resolve) => setTimeout(() =>
      resolve(json(list(0, { revision: 0, previousRevision: 0 }))), 25_000));
  });
  await clock.advance(250_000, 500);
  assert.equal(streams, 3);
  const before = followed.states.length;
  await clock.advance(100_000, 500);
  assert.equal(streams, 4);
  const states = followed.states.slice(before);
  assert.ok(!states.includes("offline") && states.at(-1) === "polling", states.join());
  isBrief = false;
  await clock.advance(300_000, 2500);
  assert.ok(streams > 4);
  const last = polls;
  for (let i = 0; i < 10; i++) {
    stream.send(": still here\n\n");
    await clock.advance(25_000, 2500);
  }
  assert.equal(polls, last);
  assert.equal(followed.states.at(-1), "live");
  followed.end();
});

test("a connection that worked begins the waits anew, also where nothing was told", async (t) => {
  const clock = fakeClock(t);
  t.mock.method(Math, "random", () => 0.999);
  const streams = [];
  const followed = follow(({ signal }) => {
    const stream = new FakeStream(signal);
    streams.push(Date.now());
    setTimeout(() => stream.end(), 2000);
    return stream.response;
  });
  await clock.advance(40_000);
  const waits = streams.slice(1).map((at, i) => at - streams[i] - 2000);
  assert.ok(waits.length >= 12 && waits.every((wait) => wait <= 1000), waits.join());
  followed.end();

  const polls = [];
  const polling = follow(({ headers, signal }) => {
    if (headers.Accept) {
      const stream = new FakeStream(signal);
      stream.end();
      return stream.response;
    }
    polls.push(Date.now());
    if (polls.length % 2 === 0) return problem(503, "overloaded");
    return json(list(0, { revision: 0, previousRevision: 0 }));
  });
  await clock.advance(40_000);
  const gaps = polls.slice(1).map((at, i) => at - polls[i]);
  assert.ok(gaps.length > 20 && gaps.every((gap) => gap <= 1000), gaps.join());
  polling.end();
});

test("the wait that a service asks for is the first one, and the next grow from 1 s", async (t) => {
  const clock = fakeClock(t);
  t.mock.method(Math, "random", () => 0.999);
  const attempts = [];
  const followed = follow(({ signal }) => {
    attempts.push(Date.now());
    if (attempts.length > 1) throw new TypeError("fetch failed");
    const stream = new FakeStream(signal);
    stream.send("retry: 5000\n\n");
    setTimeout(() => stream.fail(), 2000);
    return stream.response;
  });
  await clock.advance(80_000);
  const waits = attempts.slice(1).map((at, i) => Math.round((at - attempts[i]) / 1000));
  assert.deepEqual(waits.slice(0, 5), [7, 2, 4, 8, 16]);
  followed.end();
});

test("the error of a function that is told states does not end what it is told of", async (t) => {
  const clock = fakeClock(t), errors = unhandled(t);
  let stream;
  const followed = follow(({ signal }) => (stream = new FakeStream(signal)).response,
    { onState: (state) => { throw new Error(state); } });
  await turn();
  stream.event("changes", list(1));
  await turn();
  assert.deepEqual(followed.told, [list(1)]);
  stream.fail();
  await clock.advance(2000);
  stream.event("changes", list(2));
  await turn();
  assert.equal(followed.told.length, 2);
  assert.equal(followed.requests.length, 2);
  assert.deepEqual(errors, ["live", "offline", "live"]);
  followed.end();
});

test("a place that is not known yet is asked for, and waited for", async (t) => {
  const clock = fakeClock(t);
  let place;
  const known = new Promise((resolve) => (place = resolve));
  const followed = follow(({ path, signal }) => path.endsWith("/changes")
    ? new FakeStream(signal).response : json({ id: "s_1", revision: 5 }), { since: () => known });
  await clock.advance(1000);
  assert.equal(followed.requests.length, 0);
  place(3);
  await turn();
  assert.equal(followed.requests[0].query.since, "3");
  followed.end();

  const unknown = follow(({ path, signal }) => path.endsWith("/changes")
    ? new FakeStream(signal).response : json({ id: "s_1", revision: 5 }), { since: () => {} });
  await turn();
  assert.equal(unknown.requests.at(-1).query.since, "5");
  unknown.end();
});

test("refused connections are no short ones: streams are tried again", async (t) => {
  const clock = fakeClock(t);
  let down = true;
  const followed = follow(({ signal }) => {
    if (down) throw new TypeError("fetch failed");
    return new FakeStream(signal).response;
  });
  await clock.advance(100_000, 500);
  down = false;
  await clock.advance(40_000, 500);
  assert.ok(followed.requests.length > 4);
  for (const { headers } of followed.requests) assert.equal(headers.Accept, "text/event-stream");
  assert.ok(followed.states.includes("live"));
  followed.end();
});

test("the network coming back ends the wait", async (t) => {
  const clock = fakeClock(t);
  t.mock.method(Math, "random", () => 0.999);
  const events = new EventTarget();
  globalThis.addEventListener = events.addEventListener.bind(events);
  globalThis.removeEventListener = events.removeEventListener.bind(events);
  t.after(() => {
    delete globalThis.addEventListener;
    delete globalThis.removeEventListener;
  });
  const followed = follow(() => problem(503, "overloaded"));
  await clock.advance(40_000, 500);
  const before = followed.requests.length;
  events.dispatchEvent(new Event("online"));
  await turn();
  assert.equal(followed.requests.length, before + 1);
  followed.end();
});

test("a reset, and a history that is gone, are told, and followed from there", async (t) => {
  const clock = fakeClock(t);
  let stream;
  const followed = follow(({ signal }) => (stream = new FakeStream(signal)).response);
  await turn();
  stream.event("reset", { session: "s_1", revision: 9, rowCount: 4 });
  await clock.advance(2000);
  stream.end();
  await clock.advance(2000);
  assert.deepEqual(followed.told, [{ session: "s_1", revision: 9, rowCount: 4, reset: true }]);
  assert.equal(followed.requests[1].query.since, "9");
  followed.end();

  const gone = follow(({ query, signal }) => query.since === "0"
    ? problem(410, "history-expired", { revision: 7, rowCount: 3 })
    : new FakeStream(signal).response);
  await clock.advance(1000);
  assert.deepEqual(gone.told, [{ reset: true, revision: 7, rowCount: 3 }]);
  assert.equal(gone.requests[1].query.since, "7");
  gone.end();
});

test("nothing is missed before the first list, also without a revision to begin with", async (t) => {
  const clock = fakeClock(t);
  let stream;
  const followed = follow(({ path, signal }) => path.endsWith("/changes")
    ? (stream = new FakeStream(signal)).response : json({ id: "s_1", revision: 5 }),
  { since: undefined });
  await turn();
  assert.equal(followed.requests.at(-1).query.since, "5");
  stream.end();
  await clock.advance(2000);
  assert.equal(followed.requests.at(-1).query.since, "5");
  assert.equal(followed.requests.length, 3);
  followed.end();
});

test("an end for good is an error; a service that stops is followed again", async (t) => {
  const clock = fakeClock(t);
  const streams = [];
  const followed = follow(({ signal }) => {
    streams.push(new FakeStream(signal));
    return streams.at(-1).response;
  });
  await clock.advance(1500);
  streams[0].event("end", { code: "shutting-down", detail: "The service stops." });
  await clock.advance(3000);
  assert.equal(streams.length, 2);
  assert.equal(followed.error, undefined);
  streams[1].event("end", { code: "session-expired", detail: "It lay idle." });
  await turn();
  assert.equal(followed.error.code, "session-expired");
  assert.equal(followed.error.retryable, false);
  await clock.advance(10_000);
  assert.equal(streams.length, 2);

  const refused = follow(() => problem(404, "session-not-found"));
  await turn();
  assert.equal(refused.error.code, "session-not-found");
  assert.equal(refused.requests.length, 1);
});
