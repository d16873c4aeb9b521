import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { SparseRows } from "../../../Sources/TreeWeb/client/tree-client.js";
import { asRanges, asRows, changedList } from "./support/changed-list.mjs";
import { seeded } from "./support/seeded.mjs";

const vectors = JSON.parse(readFileSync(new URL("../vectors/sparse-rows.json", import.meta.url)));

/** The rows that are held, by index, without their own indexes. */
function held(rows) {
  const all = {};
  for (let index = 0; index < rows.rowCount; index++) {
    const row = rows.get(index);
    if (!row) continue;
    assert.equal(row.index, index);
    assert.equal(rows.indexOf(row.key), index);
    const { index: _, ...rest } = row;
    all[index] = rest;
  }
  return all;
}

for (const { name, rowCount, pages, steps } of vectors) {
  test(`vector: ${name}`, () => {
    const rows = new SparseRows();
    rows.rowCount = rowCount;
    for (const { offset, rows: page } of pages) rows.put(offset, page);
    for (const step of steps) {
      rows.apply(step.changes, step.rowCount);
      assert.equal(rows.rowCount, step.rowCount);
      assert.deepEqual(held(rows), step.held);
      const missing = rows.missing(0, step.rowCount - 1);
      assert.deepEqual(missing ? [missing.first, missing.last] : null, step.missing);
      for (const [index, expected] of step.retained ?? []) {
        assert.equal(rows.retained(index).to, expected);
      }
    }
  });
}

test("law: a window agrees with a model of all rows after any change lists", (t) => {
  const random = seeded(t);
  let keys = 0;
  const nextKey = () => `k${keys++}`;
  for (let run = 0; run < 300; run++) {
    let all = Array.from({ length: random.below(60) }, () =>
      ({ key: nextKey(), depth: 0, parent: null, object: 0 }));
    const rows = new SparseRows();
    rows.rowCount = all.length;
    for (let step = 0; step < 12; step++) {
      const offset = random.below(all.length + 1);
      rows.put(offset, all.slice(offset, offset + random.below(20)));
      const before = held(rows);
      const change = changedList(random, all, nextKey);
      const write = random.chance(0.5) ? asRows : asRanges;
      rows.apply(write(change, random.below(9)), change.after.length);
      const places = new Map(change.after.map((row, index) => [row.key, index]));

      // All rows that were held and are still there are held at their new places.
      for (const { key } of Object.values(before)) {
        assert.equal(rows.indexOf(key), places.get(key) ?? -1, `${key} in run ${run}`);
      }
      // All that are held and not marked are as they are.
      for (const [index, row] of Object.entries(held(rows))) {
        assert.equal(row.key, change.after[index].key);
        if (!rows.missing(Number(index), Number(index))) {
          assert.deepEqual(row, change.after[index]);
        }
      }
      // The first row from an index on that stayed is found without being held.
      const stayed = new Set(change.arrivals.map(({ key }) => key));
      const survivors = all.filter(({ key }) => places.has(key) && !stayed.has(key));
      for (let index = 0; index < all.length; index++) {
        const next = all.slice(index).find((row) => survivors.includes(row));
        if (next) assert.equal(rows.retained(index).to, places.get(next.key));
      }
      // What is not held or marked is told as missing, from the first to the last.
      const want = [];
      for (let i = 0; i < change.after.length; i++) if (rows.missing(i, i)) want.push(i);
      assert.deepEqual(rows.missing(0, change.after.length - 1),
        want.length ? { first: want[0], last: want.at(-1) } : undefined);
      all = change.after;
      const first = random.below(all.length + 1), most = 5 + random.below(30);
      rows.trim(first, first + 4, most);
      assert.ok(rows.size <= most);
    }
  }
});

test("a row is the same object until a member changes, comes or goes", () => {
  const rows = new SparseRows();
  rows.rowCount = 1;
  const read = (row) => {
    rows.put(0, [row]);
    return rows.get(0);
  };
  const first = read({ key: "a", object: 0 });
  assert.equal(read({ key: "a", object: 0 }), first);
  const matched = read({ key: "a", object: 0, matched: true });
  assert.deepEqual(matched, { key: "a", object: 0, matched: true, index: 0 });
  assert.deepEqual(read({ key: "a", object: 0 }), first);
  assert.equal(read({ key: "a", object: 1 }).object, 1);
});

test("where not all rows around a range may be held, those of the range are", () => {
  const rows = new SparseRows();
  rows.rowCount = 100;
  rows.put(0, Array.from({ length: 100 }, (_, i) => ({ key: `k${i}` })));
  rows.apply([{ type: "update", index: 38, newIndex: 38, count: 2 }], 100);
  rows.trim(50, 69, 30, 10);
  assert.equal(rows.size, 30);
  assert.equal(rows.missing(50, 69), undefined);
  rows.trim(50, 69, 20, 10);
  assert.deepEqual([rows.size, rows.missing(50, 69)], [20, undefined]);
});

test("stale rows are dropped beyond what is around a range", () => {
  const rows = new SparseRows();
  rows.rowCount = 100;
  rows.put(0, Array.from({ length: 100 }, (_, i) => ({ key: `k${i}` })));
  rows.apply([{ type: "update", index: 38, newIndex: 38, count: 4 }], 100);
  rows.trim(50, 69, 100, 10);
  assert.deepEqual([38, 39, 40, 41].map((index) => rows.get(index)?.key),
    [undefined, undefined, "k40", "k41"]);
});
