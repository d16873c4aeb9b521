import assert from "node:assert/strict";
import test, { after, before } from "node:test";
import { TreeClient } from "../../../Sources/TreeWeb/client/tree-client.js";
import { Browser, noBrowser, serveFiles } from "./support/browser.mjs";
import { Service, skip as noService, until } from "./support/service.mjs";

const skip = noBrowser || noService;
const FOLDERS = 300, DOCUMENTS = 200;
let files, service, browser, client;

const gridPage = `<!doctype html><meta charset="utf-8"><div id="grid" style="height: 600px"></div>
<script type="module">
import { AllCommunityModule, ModuleRegistry, createGrid } from "./ag-grid-community.js";
import { infiniteDatasource } from "./ag-grid.js";
import { TreeClient } from "./tree-client.js";
const asked = new URLSearchParams(location.search);
const session = await new TreeClient({ url: asked.get("url") }).createSession({ tree: "docs" });
ModuleRegistry.registerModules([AllCommunityModule]);
window.api = createGrid(document.querySelector("#grid"), {
  columnDefs: [{ field: "object.name" }, { field: "depth" }],
  rowModelType: "infinite", cacheBlockSize: 100, maxBlocksInCache: 4,
  getRowId: ({ data }) => data.key, datasource: infiniteDatasource(session, { api: () => window.api }),
});
window.session = session;
</script>`;

before(async () => {
  if (skip) return;
  files = await serveFiles({ "grid.html": { text: gridPage },
    "ag-grid-community.js": { path: process.env.AG_GRID_MODULE } });
  service = await new Service("--storage", "memory", "--cors-origins", files.url).start();
  client = new TreeClient({ url: service.url });
  await client.createTree({ tree: "docs", nodes: Array.from({ length: FOLDERS }, (_, i) => ({
    key: `f${i}`, object: { name: `Folder ${i}` },
    children: Array.from({ length: DOCUMENTS }, (_, j) =>
      ({ key: `f${i}-${j}`, object: { name: `Document ${i}.${j}` } })),
  })) });
  browser = await new Browser().start();
});

after(async () => {
  await browser?.stop();
  await service?.remove();
  files?.close();
});

const open = async () => {
  await browser.go(`${files.url}/example.html?url=${encodeURIComponent(service.url)}&tree=docs`);
  await until("the page is live", () => browser.run("return window.view?.status === 'live'"));
};
/** The texts on the screen, from top to bottom. */
const texts = () => browser.run(`
  await view.settled();
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  const { top, bottom } = document.querySelector("#rows").getBoundingClientRect();
  return [...document.querySelectorAll("#rows > div > div > div")].filter((e) => !e.hidden)
    .map((e) => [e.getBoundingClientRect(), e.lastChild.textContent])
    .filter(([box]) => box.bottom > top + 1 && box.top < bottom - 1)
    .sort(([a], [b]) => a.top - b.top).map(([, text]) => text);`);

test("the example page shows a tree, its last row, and a click in one request", { skip },
  async () => {
    await open();
    assert.equal((await texts())[0], "Folder 0");
    await browser.run("await session.expandAll()");
    assert.deepEqual((await texts()).slice(0, 3), ["Folder 0", "Document 0.0", "Document 0.1"]);
    await browser.run(`const rows = document.querySelector("#rows");
      rows.scrollTop = rows.scrollHeight;
      await new Promise((resolve) => rows.addEventListener("scroll", resolve, { once: true }));`);
    await until("the end is shown", async () => (await texts()).at(-1) === "Document 299.199");
    await browser.run("list.scrollTo(30_000)");
    assert.equal((await texts())[0], `Document ${Math.floor(30_000 / 201)}.${30_000 % 201 - 1}`);
    const count = await browser.run('return document.querySelectorAll("#rows > div > div > div").length');
    assert.ok(count <= 120, `${count} elements`);
    await browser.run("list.scrollTo(0)");
    await texts();
    await browser.run(`const { left, top } = document.querySelector("#rows").getBoundingClientRect();
      const at = { clientX: left + 15, clientY: top + 12, bubbles: true };
      document.elementFromPoint(at.clientX, at.clientY).dispatchEvent(new MouseEvent("click", at));`);
    await until("the folder is closed", async () => (await texts())[1] === "Folder 1");
    assert.deepEqual(await browser.complaints(), []);
  });

test("what others change is shown, and moves nothing that is looked at", { skip }, async () => {
  await open();
  await browser.run("list.scrollTo(100)");
  assert.equal((await texts())[0], "Folder 100");
  await client.applyTreeBatch("docs", { operations: [
    { op: "insert", key: "new", object: { name: "New" }, first: true },
    { op: "update", key: "f101", object: { name: "Renamed" } }] });
  await until("the new name is shown", async () => (await texts())[1] === "Renamed");
  assert.equal((await texts())[0], "Folder 100");
  assert.equal(await browser.run("return view.range.first"), 101);
  await browser.run("list.scrollTo(0)");
  assert.equal((await texts())[0], "New");
  await client.applyTreeBatch("docs", { operations: [{ op: "remove", keys: ["new"] },
    { op: "update", key: "f101", object: { name: "Folder 101" } }] });
  await until("the row is gone", async () => (await texts())[0] === "Folder 0");
});

test("ten million rows scroll to any place, and to the last one", { skip }, async () => {
  await open();
  // The list is as high as ten million rows; what it asks for is answered here.
  const seen = await browser.run(`
    const { virtualList } = await import("./virtual-list.js");
    window.list.close();
    const rowCount = 10_000_000, scroller = document.querySelector("#rows");
    const big = { rowCount, range: { first: 0, last: 0 }, row: (index) => ({ index }),
      setRange(first, last) { this.range = { first, last }; }, subscribe: () => () => {} };
    const list = virtualList(scroller, big, { rowHeight: 24,
      draw: (element, row) => (element.textContent = row.index) });
    const frames = () => new Promise((resolve) =>
      requestAnimationFrame(() => requestAnimationFrame(resolve)));
    const top = () => [...scroller.querySelectorAll(":scope > div > div > div")].filter((e) => !e.hidden)
      .sort((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top)[0].textContent;
    const out = {};
    for (const index of [0, 17, 4_999_999, 5_000_000, 9_000_001]) {
      list.scrollTo(index);
      await frames();
      out[index] = Number(top());
    }
    scroller.scrollTop -= 24;
    await frames();
    out.up = Number(top());
    scroller.scrollTop = scroller.scrollHeight;
    await frames();
    out.last = big.range.last;
    out.height = scroller.scrollHeight;
    list.close();
    return out;`);
  const { up, last, height, ...places } = seen;
  for (const [asked, shown] of Object.entries(places)) assert.equal(shown, Number(asked));
  assert.equal(up, 9_000_000, "a small scroll is exact");
  assert.equal(last, 9_999_999);
  assert.ok(height <= 6_000_000);
});

test("the real AG Grid shows the rows of a session, and what others do to them",
  { skip: skip || (process.env.AG_GRID_MODULE ? false : "AG_GRID_MODULE names no module of it") },
  async () => {
    await browser.go(`${files.url}/grid.html?url=${encodeURIComponent(service.url)}`);
    const cell = (index) => browser.run(`
      return document.querySelector('#grid [row-index="${index}"] [col-id="object.name"]')?.textContent`);
    await until("the first row is there", async () => (await cell(0)) === "Folder 0");
    assert.equal(await cell(2), "Document 0.1");
    assert.equal(await browser.run("return api.getDisplayedRowCount()"), FOLDERS * (DOCUMENTS + 1));
    await browser.run("api.ensureIndexVisible(40_200, 'top')");
    await until("a far row is there", async () => (await cell(40_200)) === "Folder 200");
    await client.applyTreeBatch("docs", { operations: [
      { op: "update", key: "f200", object: { name: "Renamed" } },
      { op: "remove", key: "f200-0" }] });
    await until("the change is there", async () => (await cell(40_200)) === "Renamed"
      && (await cell(40_201)) === "Document 200.1");
    assert.equal(await browser.run("return api.getDisplayedRowCount()"),
      FOLDERS * (DOCUMENTS + 1) - 1);
    assert.deepEqual(await browser.complaints(), []);
  });
