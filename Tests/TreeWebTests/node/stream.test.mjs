import assert from "node:assert/strict";
import test from "node:test";
import { EventParser, TreeSession } from "../../../Sources/TreeWeb/client/tree-client.js";
import { FakeStream, clientOf, fakeClock, fakeFetch, json, problem, turn }
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
  assert.deepEqual(polls[0].query, { since: "0", wait: "25" });
  polls[0].resolve(json(list(1)));
  await turn();
  assert.deepEqual(followed.told, [list(1)]);
  assert.equal(followed.states.at(-1), "polling");
  assert.equal(polls[1].query.since, "1");
  polls[1].resolve(json(list(1, { previousRevision: 1 })));
  await turn();
  assert.equal(followed.told.length, 1, "an empty list is none");
  assert.equal(polls.length, 3);
  followed.end();
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
