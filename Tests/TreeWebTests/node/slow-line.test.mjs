import assert from "node:assert/strict";
import test from "node:test";
import { fakeClock, turn } from "./support/fakes.mjs";
import { seeded } from "./support/seeded.mjs";
import { SlowService } from "./support/slow-service.mjs";

const RUNS = Number(process.env.ITERATIONS) || 60;

function open(t, clock, service) {
  const view = service.session.view({ pageSize: 10, overscan: 0, interval: 0,
    heartbeat: 3_600_000 });
  t.after(() => view.close());
  return view;
}

const shown = (view) => Array.from({ length: view.range.last - view.range.first + 1 }, (_, i) => {
  const row = view.row(view.range.first + i);
  return row && `${row.key} ${row.object}`;
});

/** Waits until a view is live at the revision of the service, and compares the rows. */
async function expectCurrent(view, service, clock, comment) {
  for (let i = 0; i < 200; i++) {
    service.tell();
    await turn();
    if (/live|polling/.test(view.status) && view.revision === service.revision && service.isFollowed) {
      const { first, last } = view.range;
      const rows = Array.from({ length: last - first + 1 }, (_, i) => service.rows[first + i])
        .map((row) => row && `${row.key} ${row.object}`);
      assert.equal(view.rowCount, service.rows.length, comment);
      assert.deepEqual(shown(view), rows, comment);
      return;
    }
    await clock.advance(500, 250);
  }
  assert.fail(`the view is ${view.status} at ${view.revision} of ${service.revision}. ${comment}`);
}

async function step(random, service, view, clock, names) {
  const count = service.rows.length;
  switch (random.below(16)) {
    case 0: case 1: case 2: case 3:
      service.insert(random.below(count + 1), `n${names.made++}`);
      break;
    case 4:
      if (count > 10) service.remove(random.below(count - 1), 2);
      break;
    case 5: service.update(random.below(count), 1 + random.below(9)); break;
    case 6: case 7: service.tell(); break;
    case 8: service.delay("page"); break;
    case 9: service.delay("stream"); break;
    case 10: service.release(); break;
    case 11: service.cut(); break;
    case 12: service.reset(); break;
    case 13: service.forgetHistory(); break;
    case 14: service.crash(); break;
    default: {
      const first = random.below(count + 4);
      view.setRange(first, first + 9);
    }
  }
  for (let i = random.chance(0.3) ? random.below(4) : 0; i > 0; i--) {
    await new Promise((resolve) => setImmediate(resolve));
  }
  if (random.chance(0.1)) await clock.advance(random.below(3000), 250);
}

test("a stream from a revision that a crash took back is noticed", async (t) => {
  const clock = fakeClock(t), service = new SlowService(50), view = open(t, clock, service);
  await turn();
  service.insert(0, "lost");
  view.setRange(20, 29);
  await turn();
  assert.equal(view.revision, 1);
  service.delay("stream");
  service.cut();
  await clock.advance(2000);
  service.crash({ resends: true });
  service.delay("page");
  view.setRange(30, 39);
  await clock.advance(2000);
  // The first page is of no use. The second one leaves before the next change, and comes late.
  service.release(["page"]);
  service.delay("page");
  await turn();
  service.insert(3, "other");
  service.release();
  await expectCurrent(view, service, clock);
});

test("law: a view shows in the end what the service has, whatever comes late", async (t) => {
  const clock = fakeClock(t), begin = seeded(t).seed;
  for (let seed = begin; seed < begin + RUNS; seed++) {
    const random = seeded(undefined, seed), service = new SlowService(30), names = { made: 0 };
    const view = open(t, clock, service), comment = `SEED=${seed} ITERATIONS=1`;
    await expectCurrent(view, service, clock, comment);
    for (let round = 0; round < 6; round++) {
      for (let i = random.below(8); i >= 0; i--) await step(random, service, view, clock, names);
      service.release();
      await expectCurrent(view, service, clock, comment);
    }
    view.close();
  }
});
