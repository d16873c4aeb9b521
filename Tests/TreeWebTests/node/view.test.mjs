import assert from "node:assert/strict";
import test from "node:test";
import { FakeService, fakeClock, problem, turn, unhandled } from "./support/fakes.mjs";

/** A view over a fake service of some rows, read and followed. */
async function open(t, count = 50, options = {}) {
  const clock = fakeClock(t);
  const service = new FakeService(count);
  service.first = count;
  const view = service.session.view({ pageSize: 10, overscan: 0, ...options });
  t.after(() => view.close());
  await turn();
  const keys = () => Array.from({ length: view.range.last - view.range.first + 1 },
    (_, i) => view.row(view.range.first + i)?.key);
  return { clock, service, view, keys, stream: () => service.streams.at(-1) };
}

const names = (first, count) => Array.from({ length: count }, (_, i) => `k${first + i}`);

test("the first rows are read, then it is followed from their revision", async (t) => {
  const { service, view, keys } = await open(t);
  assert.equal(view.status, "live");
  assert.equal(view.rowCount, 50);
  assert.deepEqual(keys(), names(0, 10));
  assert.equal(view.indexOf("k3"), 3);
  assert.equal(view.indexOf("k30"), -1);
  assert.equal(view.row(30), undefined);
  assert.deepEqual(service.requests.map(({ path }) => path.split("/").at(-1)),
    ["rows", "changes"]);
  assert.equal(service.requests[1].query.since, "0");
});

test("a range is read with one request, and what is held is not read again", async (t) => {
  const { service, view, keys } = await open(t);
  view.setRange(23, 37);
  assert.equal(view.row(23), undefined);
  await turn();
  assert.deepEqual(keys(), names(23, 15));
  assert.deepEqual(service.reads.slice(1).map(({ query }) => [query.offset, query.limit]),
    [["20", "20"]]);
  view.setRange(25, 35);
  await turn();
  assert.equal(service.reads.length, 2);
});

test("what is shown is read first, then what is around it", async (t) => {
  const { service, view } = await open(t, 100, { overscan: 1 });
  view.setRange(50, 59);
  await turn();
  const asked = service.reads.slice(2).map(({ query }) => [Number(query.offset), Number(query.limit)]);
  assert.deepEqual(asked, [[50, 10], [40, 30]]);
});

test("a read for a range that was left is aborted", async (t) => {
  const { clock, service, view, keys } = await open(t);
  const held = service.holdNext("/rows");
  view.setRange(40, 49);
  await turn();
  view.setRange(20, 29);
  await clock.advance(100);
  assert.ok(service.reads[1].signal.aborted);
  held.release();
  await turn();
  assert.deepEqual(keys(), names(20, 10));
});

test("what is read ahead is not aborted by a range that moves a little", async (t) => {
  const { service, view } = await open(t, 100, { overscan: 1 });
  const held = service.holdNext("/rows");
  view.setRange(10, 19);
  await turn();
  assert.equal(service.reads.at(-1).query.offset, "20");
  view.setRange(9, 18);
  await turn();
  assert.equal(service.reads.at(-1).signal.aborted, false);
  held.release();
  await turn();
  assert.equal(view.row(20).key, names(20, 1)[0]);
});

test("a page that is newer than the window brings the change between them, once", async (t) => {
  const { service, view, keys, stream } = await open(t);
  const list = service.insert(0, "new");
  view.setRange(10, 14);
  await turn();
  // The row that was at 10 is held in place.
  assert.equal(view.revision, 1);
  assert.deepEqual(view.range, { first: 11, last: 15 });
  assert.deepEqual(keys(), names(10, 5));
  assert.equal(view.rowCount, 51);
  stream().event("changes", list);
  await turn();
  assert.deepEqual(keys(), names(10, 5));
  assert.equal(view.rowCount, 51);
});

test("events that come while a page is read wait for it", async (t) => {
  const { service, view, keys } = await open(t);
  const held = service.holdNext("/rows");
  view.setRange(10, 14);
  await turn();
  service.remove(0);
  service.tell();
  await turn();
  assert.equal(view.revision, 0);
  held.release();
  await turn();
  // The page was read before the change.
  assert.equal(view.revision, 1);
  assert.equal(view.rowCount, 49);
  assert.deepEqual(view.range, { first: 9, last: 13 });
  assert.deepEqual(keys(), names(10, 5));
});

test("an answer and the stream tell one change, which is applied once", async (t) => {
  for (const first of ["answer", "stream"]) {
    await t.test(`${first} first`, async (t) => {
      const { service, view } = await open(t);
      service.onBatch = () => {
        const list = service.insert(2, "mine");
        if (first === "stream") service.tell(list);
        return list;
      };
      const held = service.holdNext("/batch");
      const answer = service.session.insert({ key: "mine", index: 2 });
      await turn();
      held.release();
      await answer;
      if (first === "answer") service.tell();
      await turn();
      assert.equal(view.rowCount, 51);
      assert.equal(view.revision, 1);
      assert.deepEqual([1, 2, 3].map((i) => view.row(i).key), ["k1", "mine", "k2"]);
    });
  }
});

test("a click needs one request: its answer brings the rows that come", async (t) => {
  const { service, view } = await open(t);
  service.onBatch = () => {
    const list = service.insert(3, "a", "b");
    list.changes[0].rows = service.rows.slice(3, 5);
    return list;
  };
  const before = service.requests.length;
  await service.session.expand("k2");
  await turn();
  assert.deepEqual([2, 3, 4, 5].map((i) => view.row(i)?.key), ["k2", "a", "b", "k3"]);
  assert.equal(service.requests.length, before + 1);
  const { query } = service.requests.at(-1);
  assert.equal(query.changes, "ranges");
  assert.equal(query.include, "rows");
  assert.equal(query.fields, view.fields.join());
});

test("a click needs one request where the stream is faster, and a slow answer holds up no change",
  async (t) => {
    const { clock, service, view } = await open(t);
    service.onBatch = () => {
      const list = service.insert(3, "a", "b");
      service.tell();
      return { ...list, changes: [{ ...list.changes[0], rows: service.rows.slice(3, 5) }] };
    };
    const before = service.requests.length, held = service.holdNext("/batch");
    const answer = service.session.expand("k2");
    await turn();
    assert.equal(view.rowCount, 50, "the event waits for the answer");
    held.release();
    await answer;
    assert.deepEqual([2, 3, 4, 5].map((i) => view.row(i)?.key), ["k2", "a", "b", "k3"]);
    await view.settled();
    assert.equal(service.requests.length, before + 1);

    const slow = service.holdNext("/batch", false);
    service.onBatch = () => service.update(0, "mine");
    const late = service.session.expand("k0");
    await turn();
    service.remove(0);
    service.tell();
    await clock.advance(400);
    assert.equal(view.row(0).key, "k1", "the change of another client is shown");
    slow.release();
    await late;
    await view.settled();
    assert.equal(view.revision, 3);
  });

test("answers in other forms change nothing: the stream tells what they did", async (t) => {
  const { service, view } = await open(t);
  service.onBatch = () => ({ ...service.insert(3, "x"), changes: [
    { type: "insert", newIndex: 3, key: "x", row: { key: "x" } }] });
  await service.session.batch([], { changes: "rows", fields: "key" });
  assert.equal(view.revision, 0, "its rows have other members");
  service.tell();
  await turn();
  assert.equal(view.row(3).object, 0);
  service.onBatch = () => {
    const { changes, ...list } = service.insert(0, "y");
    return { ...list, format: "none" };
  };
  await service.session.batch([], { changes: "none" });
  assert.equal(view.rowCount, 51, "an answer without a list is told by the stream");
  service.tell();
  await turn();
  assert.equal(view.rowCount, 52);
  service.onBatch = () => ({ ...service.lists[0], previousRevision: 2, revision: 3 });
  await service.session.batch([], { dryRun: true });
  assert.equal(view.revision, 2, "what would happen did not happen");
});

test("answers that come in another order than they were made are all applied", async (t) => {
  const { service, view, keys } = await open(t);
  const one = service.insert(0, "a"), two = service.insert(1, "b");
  view.receive(two);
  view.receive(one);
  await turn();
  assert.equal(view.revision, 2);
  assert.deepEqual(keys(), ["a", "b", ...names(0, 8)]);
});

test("a list over revisions of which one is known is read as what is missing", async (t) => {
  const { service, view, keys } = await open(t);
  const one = service.insert(0, "a");
  view.receive(one);
  service.insert(0, "b");
  service.tell({ previousRevision: 0, revision: 2, rowCount: 52, format: "ranges",
    changes: [{ type: "insert", newIndex: 0, count: 2 }] });
  await turn();
  assert.equal(view.revision, 2);
  assert.deepEqual(keys(), ["b", "a", ...names(0, 8)]);
});

test("a row that moves into the window from outside is read", async (t) => {
  const { service, view, keys } = await open(t);
  service.move(44, 2);
  service.tell();
  await turn();
  assert.deepEqual(keys(), ["k0", "k1", "k44", ...names(2, 7)]);
  assert.equal(view.rowCount, 50);
});

test("an update of what is shown is read; one elsewhere costs nothing", async (t) => {
  const { service, view } = await open(t);
  const before = service.reads.length, version = view.version;
  service.update(40, 5);
  service.tell();
  await turn();
  assert.equal(service.reads.length, before);
  assert.equal(view.version, version);
  service.update(4, 6);
  service.tell();
  assert.equal(view.row(4).object, 0, "the old row is shown until the new one is there");
  await turn();
  assert.equal(view.row(4).object, 6);
  assert.deepEqual(service.reads.slice(before).map(({ query }) => query.offset), ["4"]);
});

test("rows above do not move what is looked at; an anchor may be another row", async (t) => {
  const { service, view, keys } = await open(t);
  view.setRange(20, 24);
  await turn();
  const shifts = [];
  view.subscribe(({ shift }) => shift && shifts.push(shift));
  service.insert(5, "a", "b", "c");
  service.tell();
  await turn();
  assert.deepEqual(view.range, { first: 23, last: 27 });
  assert.deepEqual(keys(), names(20, 5));
  service.remove(0, 2);
  service.tell();
  await turn();
  assert.deepEqual(view.range, { first: 21, last: 25 });
  assert.deepEqual(shifts, [3, -2]);

  view.anchor = "k23";
  service.insert(view.indexOf("k22"), "d");
  service.tell();
  await turn();
  assert.deepEqual(keys(), ["k21", "d", "k22", "k23", "k24"]);

  view.anchor = null;
  view.setRange(0, 4);
  service.insert(0, "top");
  service.tell();
  await turn();
  assert.deepEqual(view.range, { first: 0, last: 4 }, "at the very top, what is new is shown");
});

test("a reset, and a history that is gone, read all that is shown again", async (t) => {
  const { service, view, keys, stream } = await open(t);
  service.remove(0, 5);
  service.history = 1;
  stream().event("reset", { revision: 1, rowCount: 45 });
  await turn();
  assert.equal(view.revision, 1);
  assert.deepEqual(keys(), names(5, 10));

  service.remove(0, 5);
  service.history = 2;
  view.setRange(20, 24);
  await turn();
  assert.equal(view.revision, 2);
  assert.deepEqual(keys(), names(30, 5));
  assert.equal(view.row(0), undefined);
});

test("a list that shrinks below what is shown is no error", async (t) => {
  const { clock, service, view } = await open(t);
  view.setRange(45, 49);
  await turn();
  const held = service.holdNext("/rows", false);
  view.setRange(30, 40);
  service.remove(3, 47);
  await turn();
  held.release();
  await clock.advance(200);
  assert.equal(view.rowCount, 3);
  assert.equal(view.status, "live");
  view.setRange(0, 4);
  await turn();
  assert.deepEqual([0, 1, 2].map((i) => view.row(i).key), names(0, 3));
  await view.settled();
});

test("where others write without a pause the rows come all the same", async (t) => {
  const { service, view, keys } = await open(t);
  let writes = 0;
  service.intercept = ({ path, headers }) => {
    if (path.endsWith("/changes") && !headers.Accept) service.update(0, writes++);
  };
  service.update(0, writes++);
  view.setRange(20, 24);
  await turn();
  await turn();
  assert.deepEqual(keys(), names(20, 5));
  assert.ok(writes < 10, `${writes} tries`);
});

test("the end of a session is told, and nothing is asked for again", async (t) => {
  const { clock, service, view, stream } = await open(t);
  stream().event("end", { code: "tree-not-found", detail: "The tree is gone." });
  await turn();
  assert.equal(view.status, "failed");
  assert.equal(view.error.code, "tree-not-found");
  await assert.rejects(view.settled(), { code: "tree-not-found" });
  const before = service.requests.length;
  view.setRange(30, 34);
  await clock.advance(60_000, 1000);
  assert.equal(service.requests.length, before);
});

test("a service that is away is waited for", async (t) => {
  const { clock, service, view, keys, stream } = await open(t);
  t.mock.method(Math, "random", () => 0.5);
  service.intercept = () => problem(503, "overloaded");
  stream().fail();
  view.setRange(20, 24);
  await turn();
  assert.equal(view.status, "offline");
  let settled = false;
  view.settled().then(() => (settled = true));
  await clock.advance(300_000, 1000);
  assert.equal(settled, false);
  service.intercept = undefined;
  await clock.advance(20_000, 1000);
  assert.equal(view.status, "live");
  assert.equal(settled, true);
  assert.deepEqual(keys(), names(20, 5));
});

test("rows that were read right before a crash are read again", async (t) => {
  const { clock, service, view, stream } = await open(t);
  t.mock.method(Math, "random", () => 0);
  // A change is read before it is on disk, and lost. The same revision then has another one.
  service.update(20, "lost");
  view.setRange(20, 24);
  await turn();
  assert.equal(view.revision, 1);
  assert.equal(view.row(20).object, "lost");
  service.lists.pop();
  service.rows[20] = service.row("k20");
  service.revision = 0;
  service.update(30, "kept");
  stream().fail();
  await clock.advance(2000);
  assert.equal(view.revision, 1);
  assert.equal(view.row(20).object, 0);
});

test("a hidden tab closes its stream, and catches up when it is shown", async (t) => {
  const document = Object.assign(new EventTarget(), { hidden: false });
  globalThis.document = document;
  t.after(() => delete globalThis.document);
  const turnTo = (state) => {
    document.hidden = state === "hidden";
    document.dispatchEvent(new Event("visibilitychange"));
  };
  const { clock, service, view, keys, stream } = await open(t);
  turnTo("hidden");
  await turn();
  assert.ok(stream().aborted);
  assert.equal(view.status, "paused");
  await view.settled();
  const before = service.requests.length;
  service.insert(0, "a");
  service.update(3, 9);
  await clock.advance(60_000, 1000);
  assert.equal(service.requests.length, before, "nothing is asked for while nobody looks");
  turnTo("visible");
  await turn();
  assert.equal(view.status, "live");
  assert.deepEqual(keys(), ["a", ...names(0, 9)]);
  assert.equal(view.row(3).object, 9);
  assert.equal(service.streams.length, 2);
  assert.equal(service.requests.at(-1).query.since, "2");
  turnTo("hidden");
  turnTo("visible");
  turnTo("hidden");
  await turn();
  assert.equal(view.status, "paused");
  assert.ok(service.streams.every(({ aborted }) => aborted), "no stream is left open");
});

test("no more rows are held than asked for, also while a change is told", async (t) => {
  const { service, view } = await open(t, 500, { maxRows: 40 });
  let most = 0;
  view.subscribe(() => (most = Math.max(most, view.size)));
  for (let first = 0; first < 480; first += 10) {
    view.setRange(first, first + 9);
    await turn();
    assert.ok(view.size <= 40);
    assert.equal(view.row(first + 9).key, `k${first + 9}`);
  }
  view.setRange(0, 499);
  await turn();
  assert.equal(view.range.last, 39);
  assert.equal(view.size, 40);
  service.onBatch = () => {
    const list = service.insert(20, ...Array.from({ length: 30 }, (_, i) => `new${i}`));
    list.changes[0].rows = service.rows.slice(20, 50);
    return list;
  };
  await service.session.batch([]);
  assert.ok(most <= 40, `${most} rows`);
});

test("a view that is closed asks for nothing and tells nothing", async (t) => {
  const { clock, service, view, stream } = await open(t);
  let told = 0;
  view.subscribe(() => told++);
  service.session.close();
  assert.ok(stream().aborted);
  const before = service.requests.length;
  view.receive(service.insert(0, "a"));
  await clock.advance(60_000, 1000);
  assert.equal(service.requests.length, before);
  assert.equal(told, 0);
  await view.settled();
  service.onBatch = () => service.insert(0, "b");
  await service.session.insert({ key: "b" });
  assert.equal(service.requests.at(-1).query.include, undefined);
});

test("subscribers are told once for each visible change, and not after they left", async (t) => {
  const { service, view } = await open(t);
  const versions = [];
  const leave = view.subscribe(({ version }) => versions.push(version));
  service.insert(3, "a");
  service.tell();
  await turn();
  assert.ok(versions.length >= 1 && versions.length <= 2);
  assert.equal(versions.at(-1), view.version);
  leave();
  service.insert(3, "b");
  service.tell();
  await turn();
  assert.ok(view.version > versions.at(-1));
});

test("the error of a subscriber is reported, and breaks neither the view nor a write", async (t) => {
  const errors = unhandled(t);
  const { clock, service, view, stream } = await open(t);
  let told = 0;
  view.subscribe(() => { throw new Error("bug of the page"); });
  view.subscribe(() => told++);
  service.onBatch = () => service.insert(0, "mine");
  const answer = await service.session.insert({ key: "mine", index: 0 });
  assert.equal(answer.revision, 1);
  service.insert(0, "other");
  service.tell();
  await turn();
  stream().fail();
  await clock.advance(5000);
  assert.equal(view.status, "live");
  assert.equal(view.row(0).key, "other");
  await view.settled();
  assert.ok(told >= 4);
  assert.equal(errors.length, told);
  assert.deepEqual([...new Set(errors)], ["bug of the page"]);
});

test("a page has 1000 rows at most, also in answers to writes", async (t) => {
  const { service, view } = await open(t, 3000, { pageSize: 1500 });
  assert.equal(view.pageSize, 1000);
  service.onBatch = () => service.insert(0, "mine");
  await service.session.insert({ key: "mine", index: 0 });
  await turn();
  for (const { query } of service.requests) assert.ok(!(query.limit > 1000), query.limit);
});

test("a page has no more rows than are held, and an option may be undefined", async (t) => {
  const { clock, service, view } = await open(t, 500,
    { pageSize: 100, maxRows: 40, heartbeat: undefined });
  assert.equal(view.size, 40);
  await clock.advance(1000);
  assert.equal(view.status, "live");
  assert.equal(service.reads.length, 1);
});

test("all shown rows are held where they are as many as may be", async (t) => {
  const { service, view } = await open(t, 3000, { pageSize: 100, overscan: 1, maxRows: 1000 });
  for (const first of [0, 300, 1250, 1200]) {
    view.setRange(first, first + 999);
    for (let i = 0; i < 20; i++) await turn();
    await view.settled();
    assert.ok(view.size <= 1000);
    for (let index = first; index < first + 1000; index++) {
      assert.equal(view.row(index)?.key, `k${index}`);
    }
  }
  assert.ok(service.reads.length < 20, `${service.reads.length} reads`);
});

test("what others do while a page is read again is not missed by the next stream", async (t) => {
  const losses = {
    "a lost connection": (service, stream) => {
      service.update(3, "new");
      return () => stream.fail();
    },
    "a reset": (service, stream) => {
      service.remove(0, 5);
      service.history = 1;
      return () => {
        stream.event("reset", { revision: 1, rowCount: 45 });
        stream.end();
      };
    },
    "a history that is gone": (service, stream) => {
      service.remove(0, 5);
      service.history = 1;
      return () => stream.end();
    },
  };
  for (const [name, lose] of Object.entries(losses)) {
    await t.test(name, async (t) => {
      const { clock, service, view, keys, stream } = await open(t);
      t.mock.method(Math, "random", () => 0);
      const end = lose(service, stream());
      if (name === "a lost connection") {
        // It was read before it was told, so the page is read again.
        view.setRange(10, 14);
        await turn();
        view.setRange(0, 9);
        await turn();
        assert.equal(view.revision, 1);
      }
      const held = service.holdNext("/rows");
      service.intercept = ({ headers, query }) => {
        if (!headers.Accept || !(query.since < service.history)) return undefined;
        return problem(410, "history-expired", { revision: 1, rowCount: 45 });
      };
      end();
      await clock.advance(1000);
      service.insert(0, "between");
      held.release();
      await clock.advance(1000);
      const { query } = service.requests.findLast(({ headers }) => headers.Accept);
      assert.ok("since" in query, "a stream from now on misses what was before");
      if (query.since < service.revision) stream().event("changes", service.listSince(+query.since));
      await turn();
      await view.settled();
      assert.equal(view.revision, 2);
      assert.equal(keys()[0], "between");
    });
  }
});

test("a stream waits for the first page also where the tab is hidden and shown meanwhile",
  async (t) => {
    const document = Object.assign(new EventTarget(), { hidden: false });
    globalThis.document = document;
    t.after(() => delete globalThis.document);
    const turnTo = (state) => {
      document.hidden = state === "hidden";
      document.dispatchEvent(new Event("visibilitychange"));
    };
    const clock = fakeClock(t), service = new FakeService(50);
    service.first = 50;
    const held = service.holdNext("/rows", false);
    const view = service.session.view({ pageSize: 10 });
    t.after(() => view.close());
    await turn();
    // The browser changes the state before it tells of it.
    document.hidden = true;
    view.setRange(20, 29);
    await turn();
    turnTo("hidden");
    turnTo("visible");
    held.release();
    await clock.advance(200);
    assert.equal(view.status, "live");
    assert.equal(view.row(20).key, "k20");
    for (const { headers, query } of service.requests) {
      if (headers.Accept) assert.equal(query.since, "0");
    }
  });

test("numbers of rows and pages that cannot be are refused at once", () => {
  const service = new FakeService(10);
  for (const name of ["pageSize", "maxRows", "overscan"]) {
    for (const number of [-2, 2.5, NaN, "many"]) {
      assert.throws(() => service.session.view({ [name]: number }), RangeError, `${name} ${number}`);
    }
  }
  for (const name of ["pageSize", "maxRows"]) {
    assert.throws(() => service.session.view({ [name]: 0 }), RangeError);
  }
  for (const options of [{ overscan: 0 }, { maxRows: Infinity }, { pageSize: 5000 }]) {
    service.session.view(options).close();
  }
  assert.equal(service.session.views.size, 0);
});
