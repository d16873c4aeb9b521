import assert from "node:assert/strict";
import test, { after, before } from "node:test";
import { TreeClient } from "../../../Sources/TreeWeb/client/tree-client.js";
import { Browser, noBrowser } from "./support/browser.mjs";
import { explorerPage } from "./support/explorer.mjs";
import { Service, skip as noService, until } from "./support/service.mjs";

const skip = noBrowser || noService;
let service, client;
const browser = new Browser();
const { open, text, press, type, focus, focusedHas, focused, chosen, labels, shows, pointIn, click, clean,
  told, filter, editsName, asks } = explorerPage(browser, () => service.url);

before(async () => {
  if (skip) return;
  service = await new Service("--storage", "memory").start();
  client = new TreeClient({ url: service.url });
  await browser.start();
});

after(async () => {
  await browser.stop();
  await service?.remove();
});

/** Makes a tree of 12 folders, of which every third is kept, with two documents each. */
const makeTree = (tree) => client.createTree({ tree, nodes: Array.from({ length: 12 }, (_, i) => ({
  key: `f${i}`, object: { name: `${i % 3 ? "Junk" : "Kept"} ${i}`, size: 12 - i },
  children: [0, 1].map((j) => ({ key: `f${i}-${j}`, object: { name: `Document ${i}.${j}`, size: j } })),
})) });

const nodeOf = async (tree, key) => (await client.getTreeNode(tree, key)).node;
const roots = async (tree) => (await client.listTreeRoots(tree)).nodes.map(({ key }) => key).join(" ");

test("under a filter, what is selected is what it shows, and hidden nodes are named before they are deleted",
  { skip }, async () => {
    await makeTree("hidden");
    await open("hidden");
    await filter("kept", 4);
    await press("Control+a");
    await chosen("4 selected");
    await press("Delete");
    assert.equal(await asks(), "Delete 4 selected nodes? With all that is below, 12 nodes. "
      + "8 of them are not shown. This cannot be undone.");
    await press("Escape");
    await press("Control+Shift+a");
    await chosen("");
    // Ancestors of matches are shown, and not selected.
    await filter("document 4", 3);
    await press("Control+a");
    await chosen("2 selected");
    await press("ArrowDown", "Delete");
    assert.equal(await asks(), "Delete 2 selected nodes? This cannot be undone.");
    await press("Tab", "Enter");
    await until("they are gone", async () => (await client.getTree("hidden")).nodeCount === 34);
    assert.equal((await nodeOf("hidden", "f4")).childCount, 0);
    // What was selected before, and is hidden now, is named as well.
    await open("hidden");
    await press("Space", "ArrowDown", "Space");
    await chosen("2 selected");
    await filter("kept", 4);
    await press("Control+Home");
    await focus("Kept 0");
    await press("Control+x");
    await until("it is told", async () => (await text("#said")).includes("1 of them is not shown"));
    await press("Delete");
    assert.match(await asks(), /^Delete 2 selected nodes\? With all that is below, 6 nodes. 5 of them /);
    await press("Escape");
    await clean();
  });

test("keys that follow a filter at once act on what it shows", { skip }, async () => {
  await makeTree("at-once");
  await open("at-once");
  await browser.cdp("Network.enable");
  const latency = (milliseconds) => browser.cdp("Network.emulateNetworkConditions",
    { offline: false, latency: milliseconds, downloadThroughput: -1, uploadThroughput: -1 });
  await latency(300);
  try {
    await click("#filter");
    await type("junk");
    await press("ArrowDown", "Control+a");
    await chosen("8 selected");
  } finally {
    await latency(0);
  }
  await clean();
});

test("a new node is seen, although a filter would hide it", { skip }, async () => {
  await makeTree("added");
  await open("added");
  await filter("kept", 4);
  await press("ArrowDown");
  await focus("Kept 3");
  await press("Insert");
  await editsName();
  await type("Fresh");
  await press("Enter");
  await focus("Fresh");
  assert.equal(await browser.run(`return document.querySelector("#filter").value`), "");
  assert.deepEqual((await labels()).slice(2, 6), ["Junk 2", "Kept 3", "Fresh", "Document 3.0"]);
  await told("The filter was cleared");
  // A name that the filter hides is told, too.
  await filter("kept", 4);
  await press("Control+Home");
  await focus("Kept 0");
  await press("F2");
  await editsName();
  await type("Gone");
  await press("Enter");
  await until("it is told", async () => (await text("#said")).includes("The filter hides it"));
  assert.equal((await nodeOf("added", "f0")).object.name, "Gone");
  await clean();
});

test("in sorted rows no node is put before or after another one, by keys or by dragging", { skip },
  async () => {
    await makeTree("order");
    await open("order");
    const before = await roots("order");
    await browser.run(`[...document.querySelectorAll(".sort")]
      .find(({ textContent }) => textContent === "Size").click()`);
    await shows("Junk 11", "Junk 10", "Kept 9");
    await browser.run(`document.querySelector(".body .active").focus()`);
    await press("Home");
    await focus("Junk 11");
    for (const key of ["Alt+ArrowDown", "Alt+ArrowUp"]) {
      await press(key);
      await told("The rows are sorted by Size");
      await click(".alert button");
    }
    const drag = async (from, to, share) => {
      const start = await pointIn(from), end = await pointIn(to, share);
      await browser.pointer(start, "down", [start[0] + 4, start[1] + 8], end, 150);
    };
    await drag("Junk 11", "Junk 8", 0.9);
    await until("it is refused", () => browser.run(`return document.body.classList.contains("refused")
      && document.querySelector(".ghost").dataset.reason.includes("sorted by Size")`));
    await browser.pointer("up");
    await told("The rows are sorted by Size");
    assert.equal(await roots("order"), before);
    await drag("Junk 11", "Junk 8", 0.5);
    await browser.pointer("up");
    await until("it is inside", async () => (await nodeOf("order", "f11")).parent === "f8");
    await press("Home", "Alt+ArrowRight");
    await focusedHas({ label: "Junk 10", level: "1" });
    await press("ArrowDown", "Alt+ArrowRight");
    await focusedHas({ label: "Kept 9", level: "2" });
    await clean();
  });

test("a new name replaces a name, and nothing else", { skip }, async () => {
  await client.createTree({ tree: "names", nodes: [{ key: "a", object: { name: "Ay" } },
    { key: "list", object: [1, 2, 3] }, { key: "word", object: "a text" },
    { key: "deep", object: { name: { first: "D" } } }, { key: "none", object: null },
    { key: "number", object: { name: 7 } }] });
  await open("names");
  for (const key of ["list", "word", "deep"]) {
    const { object } = await nodeOf("names", key);
    await press("ArrowDown");
    await focus(key);
    await press("F2");
    await told(`${key} cannot be renamed`);
    assert.deepEqual((await nodeOf("names", key)).object, object);
  }
  for (const [name, object] of [["None", { name: "None" }], ["8", { name: 8 }]]) {
    await press("ArrowDown", "F2");
    await editsName();
    await type(name);
    await press("Enter");
    await focus(name);
    const { key } = (await client.listTreeRoots("names", { offset: name === "8" ? 5 : 4 })).nodes[0];
    assert.deepEqual((await nodeOf("names", key)).object, object);
  }
  await clean();
});

test("rows that are dragged over ancestors at the top go into these", { skip }, async () => {
  await client.createTree({ tree: "top", nodes: Array.from({ length: 12 }, (_, i) => ({
    key: `${i}`, object: { name: `Top ${i}` }, children: Array.from({ length: 4 }, (_, j) => ({
      key: `${i}-${j}`, object: { name: `Middle ${i}.${j}` },
      children: Array.from({ length: 8 }, (_, k) => ({ key: `${i}-${j}-${k}`,
        object: { name: `Leaf ${i}.${j}.${k}` } })) })) })) });
  await open("top");
  await click("#expand");
  await until("all is open", async () => (await text("#rows")) === "444 rows of 444 nodes");
  const sticky = () => browser.run(`return [...document.querySelectorAll(".sticky .row")].map((row) => {
    const { left, top, height } = row.getBoundingClientRect();
    return { label: row.querySelector(".label").textContent, top, middle: [left + 150, top + height / 2] };
  })`);
  for (const [target, label, parent] of [[1, "Leaf 1.1.2", "1-0"], [0, "Leaf 1.1.3", "1"]]) {
    // Two ancestors cover two leaves.
    await browser.run(`document.querySelector(".body").scrollTop = 28 * 41`);
    await shows("Leaf 1.0.4");
    assert.deepEqual((await sticky()).map(({ label }) => label), ["Top 1", "Middle 1.0"]);
    const from = await pointIn(label), { middle, top } = (await sticky())[target];
    await browser.pointer(from, "down", [from[0] + 4, from[1] + 8], middle, 300);
    const mark = await browser.run(`const mark = document.querySelector(".mark");
      const { left, top } = mark.getBoundingClientRect();
      return { top, kind: mark.className, isOnTop: mark.checkVisibility() };`);
    assert.deepEqual([mark.kind, Math.round(mark.top - top)], ["mark into", 0]);
    await browser.pointer("up");
    const key = label.slice(5).replaceAll(".", "-");
    await until(`${label} is in ${parent}`, async () => (await nodeOf("top", key)).parent === parent);
  }
  await clean();
});

test("who is in a row that others hide keeps the focus; a name that is edited there is told", { skip },
  async () => {
    await client.createTree({ tree: "lost", nodes: Array.from({ length: 60 }, (_, i) => ({ key: `${i}`,
      object: { name: `Node ${i}` }, children: [{ key: `${i}-0`, object: { name: `Below ${i}` } }] })) });
    await open("lost");
    const hide = (key) => client.applyTreeBatch("lost", { operations: [
      { op: "move", keys: [key], parent: "55" }] });
    await press("ArrowDown", "ArrowDown");
    await focus("Node 2");
    await hide("2");
    await focus("Node 3");
    await press("F2");
    await editsName();
    await type("Half a na");
    await hide("3");
    await told("It was not renamed to Half a na.");
    await focus("Node 4");
    assert.equal((await nodeOf("lost", "3")).object.name, "Node 3");
    assert.equal(await browser.run(`return document.querySelectorAll(".rename").length`), 0);
    // The same where the row is far from what is looked at.
    await browser.run(`document.querySelector(".body").scrollTop = 28 * 30`);
    await until("it is scrolled", async () => (await labels()).includes("Node 40"));
    const [first] = await labels();
    await hide("4");
    await until("a row that is seen has the focus", async () => (await labels()).includes((await focused()).label));
    assert.ok((await labels()).includes(first));
    await clean();
  });

test("a name is edited on while the columns change", { skip }, async () => {
  await makeTree("resized");
  const width = (pixels) => browser.cdp("Emulation.setDeviceMetricsOverride",
    { width: pixels, height: 700, deviceScaleFactor: 1, mobile: false });
  try {
    await width(1000);
    await open("resized");
    const columns = () => browser.run(
      `return document.querySelectorAll("[role=columnheader]").length`);
    const all = await columns();
    await press("ArrowDown", "F2");
    await editsName();
    await type("Half");
    await width(380);
    await until("columns are gone", async () => (await columns()) < all);
    await type(" a na");
    await width(1000);
    await until("they are back", async () => (await columns()) === all);
    await type("me");
    await press("Enter");
    await focus("Half a name");
    assert.deepEqual((await nodeOf("resized", "f1")).object, { name: "Half a name", size: 11 });
    assert.equal((await client.getTree("resized")).revision, 1);
  } finally {
    await browser.cdp("Emulation.clearDeviceMetricsOverride");
  }
  await clean();
});

test("what is typed leads to a row behind thousands of hidden matches", { skip }, async () => {
  await client.createTree({ tree: "typed", nodes: [{ key: "a", object: { name: "First" },
    children: Array.from({ length: 2500 }, (_, i) => ({ key: `a${i}`, object: { name: `zed ${i}` } })) },
  ...Array.from({ length: 300 }, (_, i) => ({ key: `b${i}`, object: { name: `Other ${i}` } })),
  { key: "z", object: { name: "Zed" } }] });
  await open("typed");
  await type("zed");
  await focus("Zed");
  await press("Home");
  await focus("First");
  await type("zex");
  await until("it is told", async () => (await text("#said")) === "Nothing begins with zex.");
  await clean();
});
