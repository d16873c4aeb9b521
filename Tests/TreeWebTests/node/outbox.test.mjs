import assert from "node:assert/strict";
import test from "node:test";
import { Outbox } from "../../../Sources/TreeWeb/client/outbox.js";
import { TreeSession } from "../../../Sources/TreeWeb/client/tree-client.js";
import { clientOf, fakeClock, fakeFetch, json, problem, turn } from "./support/fakes.mjs";

/** A store in memory that says what was done to it. */
class Store {
  entries = [];
  log = [];
  next = 1;
  async all() { return structuredClone(this.entries); }
  async add(entry) {
    this.log.push(`add ${entry.operations[0].key}`);
    this.entries.push(structuredClone({ ...entry, id: this.next++ }));
  }
  async remove(id) {
    const entry = this.entries.find((one) => one.id === id);
    this.log.push(`remove ${entry.operations[0].key}`);
    this.entries = this.entries.filter((one) => one !== entry);
  }
}

function open(t, answer, store = new Store()) {
  const clock = fakeClock(t);
  t.mock.method(Math, "random", () => 0.5);
  const { fetch, requests } = fakeFetch((request, count) => {
    store.log.push(`send ${request.json.operations[0].key}`);
    return answer(request, count);
  });
  const said = [];
  const outbox = new Outbox(new TreeSession(clientOf(fetch), "s_1"), { store });
  for (const type of ["sent", "rejected", "blocked", "error"]) {
    outbox.addEventListener(type, (event) => said.push(event));
  }
  t.after(() => outbox.close());
  return { clock, store, requests, outbox, said };
}

const edit = (key) => [{ op: "update", key, object: 1 }];

test("batches are kept before they are sent, and are sent in order", async (t) => {
  const { store, outbox, said } = open(t, ({ json: body }) => json({ key: body.operations[0].key }));
  const one = await outbox.add(edit("a")), two = await outbox.add(edit("b"));
  assert.deepEqual(await two.sent, { key: "b" });
  assert.deepEqual(await one.sent, { key: "a" });
  assert.deepEqual(said.map(({ type }) => type), ["sent", "sent"]);
  assert.ok(store.log.indexOf("add a") < store.log.indexOf("send a"));
  assert.ok(store.log.indexOf("remove a") < store.log.indexOf("send b"));
  assert.deepEqual(store.entries, []);
});

test("nothing is lost while the service is away, and its key stays the same", async (t) => {
  let away = true;
  const { clock, store, requests, outbox } = open(t, () => {
    if (away) throw new TypeError("fetch failed");
    return json({});
  });
  const { sent } = await outbox.add(edit("a"));
  await outbox.add(edit("b"));
  await clock.advance(200_000, 1000);
  assert.equal(store.entries.length, 2);
  assert.ok(requests.length > 5);
  assert.ok(requests.every(({ json: { operations } }) => operations[0].key === "a"));
  away = false;
  await clock.advance(40_000, 1000);
  await sent;
  assert.equal(store.entries.length, 0);
  const keys = requests.map(({ headers }) => headers["Idempotency-Key"]);
  assert.equal(new Set(keys.slice(0, -1)).size, 1);
  assert.notEqual(keys.at(-1), keys[0]);
});

test("only a definite refusal removes a batch, and says so", async (t) => {
  const { store, outbox, said } = open(t, ({ json: body }) =>
    body.operations[0].key === "bad" ? problem(404, "node-not-found") : json({}));
  const bad = await outbox.add(edit("bad")), good = await outbox.add(edit("good"));
  await assert.rejects(bad.sent, { code: "node-not-found" });
  await good.sent;
  assert.deepEqual(said.map(({ type, key }) => [type, key]),
    [["rejected", bad.key], ["sent", good.key]]);
  assert.equal(said[0].error.status, 404);
  assert.deepEqual(said[0].operations, edit("bad"));
  assert.deepEqual(store.entries, []);
});

test("a credential that fails blocks the batches until it is there", async (t) => {
  const clock = fakeClock(t), store = new Store(), { fetch, requests } = fakeFetch(() => json({}));
  let token;
  const client = clientOf(fetch, { credential() {
    if (!token) throw new Error("no token");
    return token;
  } });
  const outbox = new Outbox(new TreeSession(client, "s_1"), { store }), said = [];
  t.after(() => outbox.close());
  outbox.addEventListener("blocked", ({ error }) => said.push(error.message));
  const { sent } = await outbox.add(edit("a"));
  await clock.advance(60_000, 1000);
  assert.deepEqual([...new Set(said)], ["no token"]);
  assert.equal(store.entries.length, 1);
  token = "token";
  await clock.advance(40_000, 1000);
  await sent;
  assert.equal(requests.length, 1);
});

for (const status of [302, 401, 408, 425, 429, 500, 507]) {
  test(`${status} removes nothing`, async (t) => {
    let refused = true;
    const { clock, store, outbox, said } = open(t, () =>
      refused ? problem(status, "some-code") : json({}));
    const { sent } = await outbox.add(edit("a"));
    await clock.advance(60_000, 500);
    assert.equal(store.entries.length, 1);
    assert.ok(said.every(({ type }) => type === "blocked"));
    refused = false;
    await clock.advance(40_000, 500);
    await sent;
    assert.equal(store.entries.length, 0);
  });
}

test("a batch asks alike whichever views are open", async (t) => {
  const { fetch, requests } = fakeFetch(({ method }) =>
    method === "POST" ? json({}) : new Promise(() => {}));
  const session = new TreeSession(clientOf(fetch), "s_1");
  const outbox = new Outbox(session, { store: new Store() });
  await (await outbox.add(edit("a"))).sent;
  const view = session.view();
  await (await outbox.add(edit("b"))).sent;
  const [first, second] = requests.filter(({ method }) => method === "POST");
  assert.deepEqual(second.query, first.query);
  view.close();
  outbox.close();
});

test("what an earlier page kept is sent with the key it had", async (t) => {
  const store = new Store();
  await store.add({ key: "key-of-before", operations: edit("a"), options: { ifMatch: 3 } });
  const { requests } = open(t, () => json({}), store);
  await turn();
  assert.equal(requests.length, 1);
  assert.equal(requests[0].headers["Idempotency-Key"], "key-of-before");
  assert.equal(requests[0].headers["If-Match"], '"3"');
  assert.deepEqual(store.entries, []);
});

test("a batch that another page sends has its answer here, too", async (t) => {
  let away = true, answers = new Map();
  const answer = ({ json: body, headers }) => {
    if (away) throw new TypeError("fetch failed");
    const key = headers["Idempotency-Key"];
    if (!answers.has(key)) answers.set(key, `${body.operations[0].key} ${answers.size}`);
    return json({ key: answers.get(key) });
  };
  const { clock, store, outbox, said } = open(t, answer);
  const one = await outbox.add(edit("a"));
  // The other page sends while this one waits for its next attempt.
  const other = new Outbox(new TreeSession(clientOf(fakeFetch(answer).fetch), "s_1"), { store });
  t.after(() => other.close());
  const two = await outbox.add(edit("c"));
  away = false;
  await clock.advance(40_000, 500);
  assert.deepEqual([await one.sent, await two.sent], [{ key: "a 0" }, { key: "c 1" }]);
  assert.deepEqual(said.map(({ type, key }) => [type, key]), [["sent", one.key], ["sent", two.key]]);
  assert.equal(answers.size, 2);
  assert.deepEqual(store.entries, []);
});

test("a batch that a page sent before it was asked for is sent again with its key", async (t) => {
  const { store, outbox, requests } = open(t, () => json({ key: "a" }));
  const add = store.add.bind(store);
  store.add = async (entry) => {
    await add(entry);
    // Another page sends and removes it.
    store.entries = [];
  };
  const { key, sent } = await outbox.add(edit("a"));
  assert.deepEqual(await sent, { key: "a" });
  assert.equal(requests[0].headers["Idempotency-Key"], key);
});

test("a batch that is no JSON is refused before it is stored", async (t) => {
  const { store, outbox } = open(t, () => json({}));
  await assert.rejects(outbox.add([{ op: "update", key: "a", object: 1n }]), TypeError);
  assert.deepEqual(store.entries, []);
});

test("a closed outbox takes no batch, and rejects what waits", async (t) => {
  const { store, outbox } = open(t, () => problem(503, "overloaded"));
  const { sent } = await outbox.add(edit("a"));
  outbox.close();
  await assert.rejects(sent, { name: "AbortError" });
  await assert.rejects(outbox.add(edit("b")), { name: "AbortError" });
  assert.equal(store.entries.length, 1);
});

test("a closed outbox keeps what it has", async (t) => {
  const { clock, store, requests, outbox } = open(t, () => problem(503, "overloaded"));
  await outbox.add(edit("a"));
  await turn();
  outbox.close();
  const before = requests.length;
  await clock.advance(60_000, 1000);
  assert.equal(requests.length, before);
  assert.equal(store.entries.length, 1);
});

test("a store that fails is told, and a later start tries again", async (t) => {
  const store = new Store();
  const all = store.all;
  store.all = () => Promise.reject(new Error("the disk is full"));
  const { outbox, said, requests } = open(t, () => json({}), store);
  await turn();
  assert.equal(said[0].type, "error");
  assert.match(said[0].error.message, /disk is full/);
  store.all = all;
  const { sent } = await outbox.add(edit("a"));
  await sent;
  assert.equal(requests.length, 1);
});
