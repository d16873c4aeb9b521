import assert from "node:assert/strict";
import test, { after, before } from "node:test";
import { TreeClient } from "../../../Sources/TreeWeb/client/tree-client.js";
import { Browser, noBrowser } from "./support/browser.mjs";
import { Service, skip as noService, until } from "./support/service.mjs";

const skip = noBrowser || noService;
const FOLDERS = 300, DOCUMENTS = 200;
let service, browser, client;

before(async () => {
  if (skip) return;
  service = await new Service("--storage", "memory").start();
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
});

const open = async () => {
  // The address that the documentation names.
  await browser.go(`${service.url}/client/example.html?tree=docs`);
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

/** Waits until the texts on the screen begin with some. */
const shows = (...first) => until(`the first rows are ${first}`, async () =>
  (await texts()).slice(0, first.length).join() === first.join());

test("the example page shows a tree, its last row, and a click in one request", { skip },
  async () => {
    await open();
    await shows("Folder 0", "Folder 1");
    await browser.run("await session.expandAll()");
    await shows("Folder 0", "Document 0.0", "Document 0.1");
    await browser.run(`const rows = document.querySelector("#rows");
      rows.scrollTop = rows.scrollHeight;
      await new Promise((resolve) => rows.addEventListener("scroll", resolve, { once: true }));`);
    await until("the end is shown", async () => (await texts()).at(-1) === "Document 299.199");
    await browser.run("list.scrollTo(30_000)");
    await shows(`Document ${Math.floor(30_000 / 201)}.${30_000 % 201 - 1}`);
    const count = await browser.run('return document.querySelectorAll("#rows > div > div > div").length');
    assert.ok(count <= 120, `${count} elements`);
    await browser.run("list.scrollTo(0)");
    await shows("Folder 0", "Document 0.0");
    await browser.run(`const { left, top } = document.querySelector("#rows").getBoundingClientRect();
      const at = { clientX: left + 15, clientY: top + 12, bubbles: true };
      document.elementFromPoint(at.clientX, at.clientY).dispatchEvent(new MouseEvent("click", at));`);
    await shows("Folder 0", "Folder 1");
    assert.deepEqual(await browser.complaints(), []);
  });

test("what others change is shown, and moves nothing that is looked at", { skip }, async () => {
  await open();
  await browser.run("list.scrollTo(100)");
  await shows("Folder 100");
  await client.applyTreeBatch("docs", { operations: [
    { op: "insert", key: "new", object: { name: "New" }, first: true },
    { op: "update", key: "f101", object: { name: "Renamed" } }] });
  await shows("Folder 100", "Renamed");
  assert.equal(await browser.run("return view.range.first"), 101);
  await browser.run("list.scrollTo(0)");
  await shows("New");
  await client.applyTreeBatch("docs", { operations: [{ op: "remove", keys: ["new"] },
    { op: "update", key: "f101", object: { name: "Folder 101" } }] });
  await shows("Folder 0");
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
