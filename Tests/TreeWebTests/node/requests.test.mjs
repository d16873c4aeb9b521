import assert from "node:assert/strict";
import test from "node:test";
import { TreeClient, TreeError, TreeSession } from "../../../Sources/TreeWeb/client/tree-client.js";
import { clientOf, fakeClock, fakeFetch, json, problem, turn, unhandled } from "./support/fakes.mjs";

/** Runs a call to its end on a fake clock, and gives its error or its answer. */
async function settle(clock, promise, longest = 300_000) {
  let outcome;
  promise.then((value) => (outcome = { value }), (error) => (outcome = { error }));
  for (let passed = 0; passed < longest && !outcome; passed += 500) await clock.advance(500, 250);
  assert.ok(outcome, "the call never ended");
  return outcome;
}

test("writes carry a key, the same in each retry and another in each call", async (t) => {
  const clock = fakeClock(t);
  const { fetch, requests } = fakeFetch((_, count) =>
    count === 1 ? problem(503, "overloaded") : json({}));
  const client = clientOf(fetch);
  await settle(clock, client.createTree({ tree: "a" }));
  await settle(clock, client.createTree({ tree: "b" }));
  const keys = requests.map(({ headers }) => headers["Idempotency-Key"]);
  assert.match(keys[0], /^[!-~]{16,255}$/);
  assert.equal(keys[0], keys[1]);
  assert.notEqual(keys[0], keys[2]);
});

test("reads carry no key, nor does POST nodes/get", async () => {
  const { fetch, requests } = fakeFetch(() => json({}));
  const session = new TreeSession(clientOf(fetch), "s_1");
  await session.listRows();
  await session.getNodes({ keys: ["a"] });
  for (const { headers } of requests) assert.equal(headers["Idempotency-Key"], undefined);
});

for (const [what, failure] of [
  ["503", () => problem(503, "overloaded")],
  ["500", () => problem(500, "internal-error")],
  ["429", () => problem(429, "too-many-requests")],
  // The request did not arrive as a whole.
  ["408", () => problem(408, "request-timeout")],
  ["a lost connection", () => Promise.reject(new TypeError("fetch failed"))],
  ["an answer that is cut off", () => new Response('{"revision": 1', {
    headers: { "Content-Type": "application/json" } })],
  ["a refusal that is cut off", () => new Response('{"status": 410, "code": "hist', {
    status: 410, headers: { "Content-Type": "application/problem+json" } })],
  ["a refusal whose connection is lost", () => new Response(new ReadableStream({
    pull: (pieces) => pieces.error(new TypeError("terminated")) }), { status: 410 })],
]) {
  test(`${what} is retried with full jitter, from 1 s doubling to 32 s, then told`, async (t) => {
    const clock = fakeClock(t);
    const draws = t.mock.method(Math, "random", () => 0.999);
    const { fetch, requests } = fakeFetch(failure);
    const { error } = await settle(clock, clientOf(fetch).getTree("a"));
    assert.ok(error instanceof TreeError);
    assert.equal(error.retryable, true);
    const waits = requests.slice(1).map(({ at }, i) => (at - requests[i].at) / 1000);
    assert.deepEqual(waits.map(Math.round), [1, 2, 4, 8, 16, 32]);
    assert.equal(draws.mock.callCount(), 6);
  });
}

test("a wait may be as short as nothing", async (t) => {
  const clock = fakeClock(t);
  t.mock.method(Math, "random", () => 0);
  const { fetch, requests } = fakeFetch((_, count) =>
    count < 4 ? problem(503, "overloaded") : json({}));
  await settle(clock, clientOf(fetch).getTree("a"));
  assert.ok(requests.at(-1).at - requests[0].at <= 1000);
});

test("Retry-After is waited for", async (t) => {
  const clock = fakeClock(t);
  t.mock.method(Math, "random", () => 0);
  const { fetch, requests } = fakeFetch((_, count) =>
    count === 1 ? problem(429, "too-many-requests", {}, { "Retry-After": "7" }) : json({ ok: 1 }));
  const { value } = await settle(clock, clientOf(fetch).getTree("a"));
  assert.deepEqual(value, { ok: 1 });
  const waited = requests[1].at - requests[0].at;
  assert.ok(waited >= 7000 && waited < 8000, `${waited} ms`);
});

for (const status of [400, 401, 403, 404, 409, 410, 412, 413, 416, 422]) {
  test(`${status} is told at once, as it came`, async () => {
    const { fetch, requests } = fakeFetch(() =>
      problem(status, "some-code", { operation: 3, key: "k" }));
    const session = new TreeSession(clientOf(fetch), "s_1");
    await assert.rejects(session.batch([{ op: "expandAll" }]), (error) => {
      assert.ok(error instanceof TreeError);
      const { code, detail, operation, retryable } = error;
      assert.deepEqual({ status: error.status, code, detail, operation, retryable },
        { status, code: "some-code", detail: "some-code.", operation: 3, retryable: false });
      assert.equal(error.key, "k");
      return true;
    });
    assert.equal(requests.length, 1);
  });
}

test("an answer without a problem is an error with its status", async (t) => {
  const clock = fakeClock(t);
  const { fetch } = fakeFetch(() => new Response("<html>", { status: 502, statusText: "Bad Gateway" }));
  const { error } = await settle(clock, clientOf(fetch).getTree("a", { attempts: 2 }));
  assert.equal(error.status, 502);
  assert.equal(error.code, "http-502");
  assert.equal(error.message, "Bad Gateway");
});

test("a mistake of the program is told at once, and asks nothing", async () => {
  const { fetch, requests } = fakeFetch(() => json({}));
  const client = clientOf(fetch), circle = {};
  circle.self = circle;
  for (const object of [1n, circle]) {
    await assert.rejects(client.applyTreeBatch("a", { operations: [{ object }] }), TypeError);
  }
  await assert.rejects(client.getTreeNode("a", "half \ud800"), { code: "invalid-request" });
  assert.throws(() => new TreeClient({ url: "127.0.0.1:8080" }), { code: "ERR_INVALID_URL" });
  assert.equal(new TreeClient({ url: new URL("http://a/b/") }).url, "http://a/b");
  for (const url of ["localhost:8080", "ws://localhost:8080", "file:///tmp"]) {
    assert.throws(() => new TreeClient({ url }), { message: `${url} lacks http://` });
  }
  assert.equal(requests.length, 0);
});

test("a time limit may be endless", async () => {
  const { fetch } = fakeFetch(() => new Promise((end) => setTimeout(() => end(json({ ok: 1 })), 20)));
  assert.deepEqual(await clientOf(fetch).getTree("a", { timeout: Infinity }), { ok: 1 });
});

test("a signal ends a request, and the wait between two", async (t) => {
  const clock = fakeClock(t);
  const { fetch, requests } = fakeFetch(() => new Promise(() => {}));
  const first = new AbortController();
  const hanging = clientOf(fetch).getTree("a", { signal: first.signal });
  await turn();
  first.abort(new Error("enough"));
  await assert.rejects(hanging, /enough/);

  const failing = fakeFetch(() => problem(503, "overloaded"));
  t.mock.method(Math, "random", () => 0.9);
  const second = new AbortController();
  const waiting = clientOf(failing.fetch).getTree("a", { signal: second.signal });
  await clock.advance(100);
  second.abort(new Error("enough"));
  await assert.rejects(waiting, /enough/);
  await clock.advance(60_000, 1000);
  assert.equal(requests.length + failing.requests.length, 2);
});

test("a request that hangs is sent again", async (t) => {
  const clock = fakeClock(t);
  const { fetch, requests } = fakeFetch((_, count) =>
    count === 1 ? new Promise(() => {}) : json({ ok: 1 }));
  const { value } = await settle(clock, clientOf(fetch).getTree("a", { timeout: 5000 }));
  assert.deepEqual(value, { ok: 1 });
  assert.equal(requests.length, 2);
});

test("paths, queries, conditions and bodies are written as the service reads them", async () => {
  const { fetch, requests } = fakeFetch(() => json({}));
  const client = clientOf(fetch, { url: "http://tree.example/base/" });
  const session = new TreeSession(client, "s_1");
  await session.getNode("a/b ü", { fields: ["key", "depth"], headers: { "If-None-Match": '"12"' } });
  await session.patchNode("k", { a: null }, { ifMatch: 4, dryRun: true });
  await client.importNodes("t", '{"key":"a"}\n{"key":"b","parent":"a"}\n');
  await session.children("x&y", { limit: 5 });
  const [node, patch, lines, children] = requests;
  assert.equal(node.url.href,
    "http://tree.example/base/v1/sessions/s_1/nodes/a%2Fb%20%C3%BC?fields=key%2Cdepth");
  assert.equal(node.headers["If-None-Match"], '"12"');
  assert.equal(node.body, undefined);
  assert.equal(patch.method, "PATCH");
  assert.equal(patch.headers["Content-Type"], "application/merge-patch+json");
  assert.equal(patch.headers["If-Match"], '"4"');
  assert.equal(patch.body, '{"a":null}');
  assert.equal(patch.query.dryRun, "true");
  assert.equal(lines.headers["Content-Type"], "application/x-ndjson");
  assert.equal(lines.body, '{"key":"a"}\n{"key":"b","parent":"a"}\n');
  assert.deepEqual(children.query, { parent: "x&y", limit: "5" });
});

test("a key that browsers take out of a path is refused before it is sent", async () => {
  const { fetch, requests } = fakeFetch(() => json({}));
  const session = new TreeSession(clientOf(fetch), "s_1");
  await assert.rejects(session.deleteNode(".."), { code: "invalid-request" });
  await session.remove("..");
  assert.equal(requests.length, 1);
});

test("a credential is asked for each time; a session's secret takes its place", async (t) => {
  const clock = fakeClock(t);
  let count = 0;
  const { fetch, requests } = fakeFetch((_, sent) =>
    sent === 1 ? problem(503, "overloaded") : json({}));
  const client = clientOf(fetch, { credential: async () => `token-${++count}` });
  await settle(clock, client.getTree("a"));
  await new TreeSession(client, "s_1", "secret").getSession();
  assert.deepEqual(requests.map(({ headers }) => headers.Authorization),
    ["Bearer token-1", "Bearer token-2", "Bearer secret"]);
});

test("no credential is none, however that is said", async () => {
  const { fetch, requests } = fakeFetch(() => json({}));
  for (const credential of [undefined, null, ""]) await clientOf(fetch, { credential }).getTree("a");
  for (const { headers } of requests) assert.ok(!("Authorization" in headers));
});

test("a session without a secret of its own takes the credential of its client", async () => {
  const { fetch, requests } = fakeFetch(() => json({}));
  const client = clientOf(fetch, { credential: "key" });
  for (const secret of [undefined, null]) await client.openSession("s_1", { secret });
  for (const { headers } of requests) assert.equal(headers.Authorization, "Bearer key");
});

test("a credential that fails is told at once, and no request is sent", async () => {
  const { fetch, requests } = fakeFetch(() => json({}));
  const cause = new Error("no token");
  const client = clientOf(fetch, { credential: async () => { throw cause; } });
  await assert.rejects(client.getTree("a"),
    { status: 0, code: "invalid-request", message: "no token", cause, retryable: false });
  const view = new TreeSession(client, "s_1").view();
  await assert.rejects(view.settled(), { message: "no token" });
  assert.equal(view.status, "failed");
  assert.equal(requests.length, 0);
});

test("a credential that lacks the network is asked for again, as fetch tells of it", async (t) => {
  const clock = fakeClock(t);
  let count = 0;
  const { fetch, requests } = fakeFetch(() => json({ ok: 1 }));
  const client = clientOf(fetch, { credential() {
    if (++count < 3) throw new TypeError("Failed to fetch");
    return "token";
  } });
  assert.deepEqual((await settle(clock, client.getTree("a"))).value, { ok: 1 });
  assert.equal(requests.length, 1);
});

test("a header that cannot be sent is told at once", async () => {
  const { fetch, requests } = fakeFetch(() => json({}));
  for (const credential of ["two\nlines", "schlüssel “1”"]) {
    await assert.rejects(clientOf(fetch, { credential }).getTree("a"),
      { status: 0, code: "invalid-request", retryable: false });
  }
  await assert.rejects(clientOf(fetch).getTree("a", { headers: { "X-A": "a\0b" } }),
    { code: "invalid-request" });
  assert.equal(requests.length, 0);
});

test("304 is null, 204 is nothing, and text is text", async () => {
  const answers = [new Response(null, { status: 304 }), new Response(null, { status: 204 }),
    new Response("openapi: 3.1.1", { headers: { "Content-Type": "application/yaml" } })];
  const { fetch } = fakeFetch(() => answers.shift());
  const client = clientOf(fetch);
  assert.equal(await client.getTree("a", { headers: { "If-None-Match": '"1"' } }), null);
  assert.equal(await client.deleteTree("a"), undefined);
  assert.equal(await client.getDescription(), "openapi: 3.1.1");
});

test("a fetch of the caller is called as the browser's own one must be: on nothing", async () => {
  let on = "nothing yet";
  const client = clientOf(function () {
    on = this;
    return json({ status: "ok" });
  });
  await client.getHealth();
  assert.equal(on, undefined);
});

test("the error of a function that is told of retries does not end them", async (t) => {
  const clock = fakeClock(t), errors = unhandled(t);
  const { fetch } = fakeFetch((_, count) => count < 3 ? problem(503, "overloaded") : json({ n: 1 }));
  const { value } = await settle(clock, clientOf(fetch).getTree("a",
    { onRetry: () => { throw new Error("bug of the page"); } }));
  assert.deepEqual(value, { n: 1 });
  assert.equal(errors.length, 2);
});

test("a body that a signal does not reach is given up all the same", async (t) => {
  const clock = fakeClock(t);
  let count = 0;
  const endless = () => new Response(new ReadableStream({ start: (pieces) =>
    pieces.enqueue(new TextEncoder().encode('{"n":')) }),
  { headers: { "Content-Type": "application/json" } });
  const client = clientOf(async () => ++count < 2 ? endless() : json({ n: 1 }));
  const { value } = await settle(clock, client.getTree("a", { timeout: 1000 }));
  assert.deepEqual(value, { n: 1 });
  const ending = new AbortController();
  count = 0;
  const left = client.getTree("a", { signal: ending.signal });
  ending.abort(new Error("left"));
  await assert.rejects(left, /left/);
});

test("short names are the operations themselves, so that one may wrap an operation", async () => {
  const { prototype } = TreeSession;
  assert.equal(prototype.rows, prototype.listRows);
  assert.equal(prototype.search, prototype.searchNodes);
  assert.equal(prototype.patch, prototype.patchSession);
});
