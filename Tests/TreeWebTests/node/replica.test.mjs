import assert from "node:assert/strict";
import test from "node:test";
import { TreeClient } from "../../../Sources/TreeWeb/client/tree-client.js";
import { seeded } from "./support/seeded.mjs";
import { Proxy, Service, skip, until } from "./support/service.mjs";

const ROUNDS = Number(process.env.ROUNDS) || 30;

/** Random batches over a tree, written by one who knows which keys there are. */
class Writer {
  keys = [];
  made = 0;

  constructor(random, tree, client) {
    Object.assign(this, { random, tree, client });
  }

  node(depth = 0) {
    const key = `n${this.made++}`;
    this.keys.push(key);
    const count = depth < 2 && this.random.chance(0.3) ? this.random.below(4) : 0;
    return {
      key, object: { name: `node ${this.random.below(1000)}`, size: this.random.below(100) },
      children: count ? Array.from({ length: count }, () => this.node(depth + 1)) : undefined,
    };
  }

  operation() {
    const { random } = this;
    const key = this.keys.length ? random.pick(this.keys) : undefined;
    const kind = key === undefined ? 0 : random.below(12);
    if (kind < 4) {
      const place = random.chance(0.5) ? { first: true } : {};
      const parent = key !== undefined && random.chance(0.7) ? key : undefined;
      return { op: "insert", parent, ...this.node(), ...place };
    }
    if (kind < 7) return { op: "update", key, merge: { size: random.below(100) } };
    if (kind < 9) return { op: "move", key, parent: random.chance(0.3) ? null : random.pick(this.keys) };
    if (kind < 11) return { op: "remove", key };
    return { op: "sort", key, by: [{ by: "/size", direction: "descending" }] };
  }

  /** Sends a batch; one that is refused (a cycle, a key that is gone) changes nothing. */
  async write() {
    const operations = Array.from({ length: 1 + this.random.below(4) }, () => this.operation());
    try {
      await this.client.applyTreeBatch(this.tree, { operations });
    } catch (error) {
      if (![404, 409, 422].includes(error.status)) throw error;
      if (error.key && error.status === 404) {
        this.keys = this.keys.filter((key) => key !== error.key);
      }
    }
  }
}

/** All that is shown must be what the service reads out. */
async function check(view, session) {
  const { revision } = await until("the view has the revision of the session", async () => {
    const description = await session.getSession();
    await view.settled();
    return view.revision === description.revision && description;
  });
  const { first, last } = view.range;
  const page = await session.rows({ offset: Math.min(first, view.rowCount),
    limit: Math.min(1000, last - first + 1), fields: ["index", ...view.fields].join() });
  assert.equal(page.revision, revision);
  assert.equal(view.rowCount, page.rowCount);
  for (const row of page.rows) {
    assert.deepEqual(view.row(row.index), row);
    assert.equal(view.indexOf(row.key), row.index);
  }
  assert.equal(view.row(view.rowCount), undefined);
  assert.ok(view.size <= view.maxRows);
}

async function law(t, { viewOptions, storage, kills }) {
  const random = seeded(t);
  // Retries wait as long as they do, but not for so long.
  t.mock.method(globalThis, "setTimeout", hurried(globalThis.setTimeout));
  const service = await new Service(...storage).start();
  const proxy = await new Proxy(service.port).start();
  const views = [];
  try {
    const direct = new TreeClient({ url: service.url });
    await direct.createTree({ tree: "law" });
    const writer = new Writer(random, "law", direct);
    for (let i = 0; i < 40; i++) await writer.write();
    const session = await new TreeClient({ url: proxy.url })
      .createSession({ tree: "law", expansion: 2 });
    const reader = await direct.openSession(session.id);
    const view = session.view(viewOptions);
    views.push(view);
    let wanted = view.range, versions = 0, lastVersion = view.version;
    view.subscribe(({ shift, version }) => {
      versions++;
      assert.ok(version > lastVersion, "a version came twice");
      lastVersion = version;
      assert.equal(view.range.first, wanted.first + shift);
      wanted = view.range;
    });
    const range = (first, last) => {
      wanted = { first, last };
      view.setRange(first, last);
    };
    for (let round = 0; round < ROUNDS; round++) {
      const tasks = [];
      for (let step = random.below(30); step >= 0; step--) {
        const dice = random.below(20);
        if (dice < 10) tasks.push(writer.write());
        else if (dice < 14) {
          const first = random.below(view.rowCount + 5);
          range(first, first + random.below(40));
        } else if (dice < 17 && view.rowCount) {
          const row = view.row(random.below(view.rowCount));
          if (row) {
            tasks.push(session.toggle(row.key).catch((error) => {
              if (error.status !== 404) throw error;
            }));
          }
        } else if (dice === 17) proxy.cut();
        else if (dice === 18) await Promise.all(tasks.splice(0));
        else await new Promise((resolve) => setTimeout(resolve, random.below(20)));
      }
      if (kills && random.chance(0.3)) {
        // Writes that are under way are sent again with their keys.
        await service.kill();
        await service.start();
      }
      await Promise.all(tasks);
      await check(view, reader);
    }
    assert.ok(versions > ROUNDS);
  } finally {
    for (const view of views) view.close();
    proxy.remove();
    await service.remove();
  }
}

const hurried = (real) => (callback, milliseconds, ...rest) =>
  real(callback, milliseconds > 100 && milliseconds <= 5000 ? milliseconds / 20 : milliseconds,
    ...rest);

test("law: a view is what the service reads out, whatever breaks between them",
  { skip, timeout: 300_000 },
  (t) => law(t, { viewOptions: { pageSize: 10, maxRows: 60 }, storage: ["--storage", "memory"] }));

test("law: so it is with members that follow from other rows", { skip, timeout: 300_000 },
  (t) => law(t, {
    viewOptions: { pageSize: 7, interval: 20, fields: ["depth", "parent", "position",
      "siblingCount", "visibleDescendantCount", "object"] },
    storage: ["--storage", "memory"],
  }));

test("law: so it is when the service is killed and starts on the same database",
  { skip, timeout: 300_000 },
  (t) => law(t, { viewOptions: { pageSize: 10, overscan: 0 }, storage: [], kills: true }));
