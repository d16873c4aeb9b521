import assert from "node:assert/strict";
import test, { after, before } from "node:test";
import { getServerSideGroupKey, infiniteDatasource, isServerSideGroup, serverSideDatasource,
  viewportDatasource } from "../../../Sources/TreeWeb/client/ag-grid.js";
import { TreeClient } from "../../../Sources/TreeWeb/client/tree-client.js";
import { Browser, noBrowser, serveFiles } from "./support/browser.mjs";
import { seeded } from "./support/seeded.mjs";
import { Service, skip as noService, until } from "./support/service.mjs";

const noGrid = process.env.AG_GRID_MODULE ? false : "AG_GRID_MODULE names no module of AG Grid";
const ROWS = Number(process.env.GRID_ROWS) || 1_000_000;
let files, service, client;
const browser = new Browser();

const page = `<!doctype html><meta charset="utf-8"><div id="grid" style="height: 600px"></div>
<script type="module">
import { AllCommunityModule, ModuleRegistry, createGrid } from "./ag-grid-community.js";
import { infiniteDatasource } from "./ag-grid.js";
import { TreeClient } from "./tree-client.js";
const asked = new URLSearchParams(location.search);
const session = await new TreeClient({ url: asked.get("url") }).createSession({ tree: "many" });
ModuleRegistry.registerModules([AllCommunityModule]);
const contains = ({ "object.name": name }) => name ? { by: "/name", contains: name.filter } : null;
window.api = createGrid(document.querySelector("#grid"), {
  columnDefs: [{ field: "object.name", filter: "agTextColumnFilter",
    filterParams: { filterOptions: ["contains"], debounceMs: 0 } }, { field: "depth" }],
  rowModelType: "infinite", cacheBlockSize: 100, maxBlocksInCache: 6,
  getRowId: ({ data }) => data.key,
  datasource: infiniteDatasource(session, { api: () => window.api, filter: contains }),
});
</script>`;

before(async () => {
  if (noService) return;
  files = await serveFiles({ "grid.html": { text: page },
    "ag-grid-community.js": { path: process.env.AG_GRID_MODULE } });
  service = await new Service("--storage", "memory", "--cors-origins", files.url).start();
  client = new TreeClient({ url: service.url });
  if (noBrowser || noGrid) return;
  // The row at an index is the node of that number; each thousandth is a folder of those behind it.
  await client.createTree({ tree: "many" });
  for (let from = 0; from < ROWS; from += 100_000) {
    const lines = [];
    for (let i = from; i < Math.min(ROWS, from + 100_000); i++) {
      const parent = i % 1000 === 0 ? "" : `"parent":"${i - (i % 1000)}",`;
      lines.push(`{"key":"${i}",${parent}"object":{"name":"Node ${i}"}}`);
    }
    await client.importNodes("many", lines.join("\n"));
  }
  await browser.start();
});

after(async () => {
  await browser.stop();
  await service?.remove();
  files?.close();
});

/** The names on the screen by their row indexes, from top to bottom. */
const shown = () => browser.run(`
  const body = document.querySelector("#grid .ag-body-viewport");
  if (!body) return [];
  const { top, bottom } = body.getBoundingClientRect();
  return [...document.querySelectorAll("#grid .ag-center-cols-container [row-index]")]
    .map((row) => [row.getBoundingClientRect(), row])
    .filter(([at]) => at.bottom > top + 1 && at.top < bottom - 1)
    .sort(([a], [b]) => a.top - b.top)
    .map(([, row]) => [Number(row.getAttribute("row-index")),
      row.querySelector('[col-id="object.name"]').textContent]);`);
/** Waits until all rows on the screen have names that a function gives by their indexes. */
const shows = (what, nameAt, isThere = () => true) => until(what, async () => {
  const rows = await shown();
  return rows.length > 5 && isThere(rows) && rows.every(([index, name]) => name === nameAt(index));
});
const node = (index) => `Node ${index}`;
const count = () => browser.run("return api.getDisplayedRowCount()");

test("the real AG Grid scrolls through a million rows, to the last one, and shows what others do",
  { skip: noBrowser || noService || noGrid }, async () => {
    await browser.go(`${files.url}/grid.html?url=${encodeURIComponent(service.url)}`);
    await shows("the first rows are there", node, ([[index]]) => index === 0);
    assert.equal(await count(), ROWS);

    const wheel = (deltaY) => browser.ask("POST", "/actions", { actions: [{ type: "wheel", id: "wheel",
      actions: [{ type: "scroll", x: 200, y: 300, deltaX: 0, deltaY, duration: 100 }] }] });
    for (let turn = 0; turn < 5; turn++) await wheel(2500);
    await shows("the wheel scrolls beyond the first block", node, ([[index]]) => index > 150);
    await wheel(-1_000_000);
    await shows("the wheel scrolls back", node, ([[index]]) => index === 0);

    const goTo = (index, place) => browser.run(`api.ensureIndexVisible(${index}, "${place}")`);
    await goTo(ROWS - 1, "bottom");
    await shows("the last row is there", node, (rows) => rows.at(-1)[0] === ROWS - 1);
    const middle = ROWS / 2;
    await goTo(middle, "top");
    await shows("the middle is there", node, ([[index]]) => Math.abs(index - middle) < 2);

    // Others rename, remove, insert above and move, while the grid shows rows below.
    await client.applyTreeBatch("many", { operations: [
      { op: "update", key: `${middle}`, object: { name: "Renamed" } },
      { op: "remove", keys: [`${middle + 2}`] }] });
    const changed = (index) => index === middle ? "Renamed" : node(index > middle + 1 ? index + 1 : index);
    await shows("a name and a removal are there", changed);
    await until("the count is right", async () => (await count()) === ROWS - 1);
    await client.applyTreeBatch("many", { operations: [
      { op: "insert", key: "new", first: true, object: { name: "New" } },
      { op: "move", key: `${middle + 3}`, parent: `${middle}`, first: true }] });
    const order = [middle, middle + 3, middle + 1, middle + 4, middle + 5, middle + 6];
    await shows("a move is there, a row further down", (index) => {
      if (index === middle + 1) return "Renamed";
      const place = index - middle - 1;
      return node(place >= 0 && place < 6 ? order[place] : place < 0 ? index - 1 : index);
    });
    await until("the count is right again", async () => (await count()) === ROWS);
    await goTo(0, "top");
    await shows("the new row is first", (index) => index === 0 ? "New" : node(index - 1));
    await goTo(ROWS - 1, "bottom");
    await shows("the last row is still there", node, (rows) => rows.at(-1)[0] === ROWS - 1);

    // All rows go away below what the grid has scrolled to.
    const name = `Node ${ROWS - 1}`;
    await browser.run(`api.setFilterModel({ "object.name": { filterType: "text", type: "contains",
      filter: ${JSON.stringify(name)} } })`);
    await until("the filter leaves the match and its folder", async () =>
      (await shown()).map(([, text]) => text).join() === `Node ${ROWS - 1000},${name}`);

    // The headers sort the session.
    const sort = (direction) => browser.run(`
      api.setFilterModel(null);
      api.applyColumnState({ state: [{ colId: "object.name", sort: ${JSON.stringify(direction)} }] });
      api.ensureIndexVisible(0, "top");`);
    await sort("desc");
    await until("the rows are sorted", async () => (await shown())[0]?.[1] === "Renamed");
    await sort(null);
    await until("the rows are as they were", async () => (await shown())[0]?.[1] === "New");

    // Another client removes most rows, among them all that are shown.
    const { nodes } = await client.listTreeRoots("many", { limit: 1000, fields: "key" });
    await goTo(ROWS - 1, "bottom");
    await until("the last row is there again", async () => (await shown()).at(-1)?.[1] === name);
    await client.applyTreeBatch("many", { operations: [
      { op: "remove", keys: nodes.slice(3).map(({ key }) => key) }] });
    const { rowCount } = await client.createSession({ tree: "many" })
      .then((session) => session.rows({ limit: 1 }));
    await until("the rows that are left are shown, without a scroll", async () => {
      const rows = await shown();
      return rows.length > 5 && rows.at(-1)[0] === rowCount - 1 && rows.every(([, text]) => text);
    });
    assert.deepEqual(await browser.complaints(), []);
  });

/** The viewport row model as documented: it keeps the rows of its range, and takes no others. */
class ViewportGrid {
  first = -1;
  last = -1;
  count = -1;
  rows = new Map();
  sent = 0;

  constructor(source) {
    this.source = source;
    source.init({
      setRowCount: (count, keepRenderedRows = false) => {
        if (!keepRenderedRows) this.rows.clear();
        this.count = count;
        this.#purge();
      },
      setRowData: (data) => {
        for (const [index, row] of Object.entries(data).map(([at, row]) => [Number(at), row])) {
          this.sent++;
          if (index >= this.first && index <= this.last) this.rows.set(index, row);
        }
      },
      getRow: (index) => this.rows.get(index),
    });
  }

  #purge() {
    for (const index of this.rows.keys()) {
      if (index < this.first || index > this.last || index >= this.count) this.rows.delete(index);
    }
  }

  scroll(first, last) {
    [this.first, this.last] = [first, last];
    this.#purge();
    this.source.setViewportRange(first, last);
  }
}

test("a grid with the viewport row model shows what the service has, whatever others do",
  { skip: noService }, async (t) => {
    const random = seeded(t), keys = Array.from({ length: 3000 }, (_, i) => `k${i}`);
    await client.createTree({ tree: "viewport", nodes: keys.map((key) => ({ key, object: 0 })) });
    const session = await client.createSession({ tree: "viewport" });
    const view = session.view({ interval: 10 });
    t.after(() => view.close());
    // It may hold rows before there is a grid.
    await view.settled();
    const source = viewportDatasource(view), grid = new ViewportGrid(source);
    const isRight = async () => {
      const first = Math.max(0, grid.first), limit = Math.max(1, grid.last - first + 1);
      const { rows, rowCount } = await session.rows({ offset: first, limit, fields: "key,object" }).catch((error) => ({ rows: [], rowCount: error.limit }));
      return grid.count === rowCount && rows.every(({ key, object }, i) => {
        const row = grid.rows.get(first + i);
        return row?.key === key && row.object === object;
      });
    };
    grid.scroll(0, 20);
    await until("the first rows are there", isRight);
    for (let round = 0; round < 150; round++) {
      if (random.chance(0.4)) {
        const first = random.below(Math.max(1, keys.length - 10));
        grid.scroll(first, first + 10 + random.below(30));
      }
      const at = random.below(keys.length), operations = [random.pick([
        () => ({ op: "update", key: keys[at], object: round }),
        () => ({ op: "remove", keys: keys.splice(at, 1 + random.below(200)) }),
        () => ({ op: "move", key: keys[at], first: true }),
        () => keys.unshift(`r${round}`) && { op: "insert", key: `r${round}`, first: true },
      ])()];
      if (keys.length < 300) break;
      await client.applyTreeBatch("viewport", { operations });
      if (random.chance(0.5)) await until(`round ${round} is shown`, isRight);
    }
    grid.scroll(5, 25);
    await until("all is shown", isRight);
    // What has not changed is not sent again.
    const { sent } = grid;
    await client.applyTreeBatch("viewport", { operations: [
      { op: "update", key: grid.rows.get(grid.first).key, object: "last" }] });
    await until("the last change is shown", isRight);
    assert.equal(grid.sent, sent + 1);
    source.destroy();
    assert.equal(view.closed, true);
  });

test("a grid with the server-side row model gets the children of its groups, a block at a time",
  { skip: noService }, async () => {
    await client.createTree({ tree: "groups", nodes: [{ key: "a", object: { name: "A" },
      children: Array.from({ length: 250 }, (_, i) => ({ key: `a${i}` })) },
    { key: "b", children: "unloaded" }, { key: "c" }] });
    const session = await client.createSession({ tree: "groups", expansion: "none" });
    const source = serverSideDatasource(session, { fields: "key,object,childState" });
    // The calls that the documentation has for a grid with tree data.
    const getRows = (groupKeys, startRow, endRow) => new Promise((resolve, reject) =>
      source.getRows({ request: { startRow, endRow, groupKeys, rowGroupCols: [], valueCols: [],
        pivotCols: [], pivotMode: false, filterModel: null, sortModel: [] },
      success: resolve, fail: () => reject(new Error("failed")) }));
    const roots = await getRows([], 0, 100);
    assert.deepEqual(roots.rowData.map(getServerSideGroupKey), ["a", "b", "c"]);
    assert.deepEqual(roots.rowData.map(isServerSideGroup), [true, true, false]);
    assert.equal(roots.rowCount, 3);
    const block = await getRows(["a"], 200, 300);
    assert.deepEqual(block.rowData.map(({ key }) => key), Array.from({ length: 50 }, (_, i) => `a${200 + i}`));
    assert.equal(block.rowCount, 250);
    await assert.rejects(getRows(["gone"], 0, 100), /failed/);
    // The list became shorter than what the grid has scrolled to.
    assert.deepEqual(await getRows(["a"], 300, 400), { rowData: [], rowCount: 250 });
  });

test("a grid asks again for its blocks when the service is back", async () => {
  let state, refreshes = 0;
  const session = { revision: 0,
    async *changes({ onState }) {
      state = onState;
      await new Promise(() => {});
    } };
  const api = { refreshInfiniteCache: () => refreshes++, setRowCount() {} };
  const source = infiniteDatasource(session, { api: () => api });
  await new Promise((resolve) => setTimeout(resolve));
  for (const next of ["live", "live", "offline", "offline"]) state(next);
  assert.equal(refreshes, 0);
  for (const next of ["live", "polling"]) state(next);
  assert.equal(refreshes, 1);
  source.destroy();
});

test("a grid sorts and filters its session, one change after the other, before its blocks are read",
  async () => {
    const asked = [];
    const session = { revision: 0,
      patch: async (options) => {
        asked.push(options);
        await new Promise((resolve) => setTimeout(resolve, 5));
        if (options.filter === "bad") throw new Error("refused");
        asked.push("done");
      },
      rows: async ({ offset }) => {
        asked.push(offset);
        return { rows: [], rowCount: 0 };
      },
      async *changes() { throw new Error("ended"); } };
    const failures = [];
    const source = infiniteDatasource(session, { api: () => {}, filter: ({ f }) => f ?? null,
      failed: (error) => failures.push(error.message) });
    const read = (startRow, sortModel, filterModel) => new Promise((resolve, reject) =>
      source.getRows({ startRow, endRow: startRow + 1, sortModel, filterModel,
        successCallback: resolve, failCallback: reject }));
    await read(0, [], {});
    assert.deepEqual(asked.splice(0), [0], "nothing is changed where nothing is asked for");
    const model = [{ colId: "object.a~/b.c", sort: "desc" }, { colId: "depth", sort: "asc" },
      { colId: "key", sort: "asc" }];
    await Promise.all([read(1, model, {}), read(2, model, {})]);
    const viewSort = [{ by: "/a~0~1b/c", direction: "descending" },
      { by: "#key", direction: "ascending" }];
    assert.deepEqual(asked.splice(0), [{ viewSort, filter: null }, "done", 1, 2]);
    await Promise.all([read(3, model, { f: "x" }), read(4, [], {})]);
    assert.deepEqual(asked.splice(0), [{ viewSort, filter: "x" }, "done", 3,
      { viewSort: null, filter: null }, "done", 4]);
    await assert.rejects(read(5, [], { f: "bad" }), /refused/);
    await assert.rejects(read(5, [], { f: "bad" }), /refused/, "it is tried again");
    assert.equal(asked.splice(0).length, 2);
    assert.deepEqual(failures, ["ended"]);
    source.destroy();
  });
