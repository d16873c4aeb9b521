import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test, { after, before } from "node:test";
import { TreeClient } from "../../../Sources/TreeWeb/client/tree-client.js";
import { Browser, noBrowser } from "./support/browser.mjs";
import { explorerPage, KEYS } from "./support/explorer.mjs";
import { Service, skip as noService, until } from "./support/service.mjs";

const skip = noBrowser || noService;
const ROWS = Number(process.env.EXPLORER_ROWS) || 1_000_000;
let service, client;
const browser = new Browser();
const { open, status, text, press, type, focused, focus, focusedHas, chosen, rows, labels, shows,
  elements, pointIn, click, clean } = explorerPage(browser, () => service.url);

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

/** Makes a tree: 30 folders of 20 documents each. */
const makeTree = async (tree, folders = 30) => {
  await client.createTree({ tree, nodes: Array.from({ length: folders }, (_, i) => ({
    key: `f${i}`, object: { name: `Folder ${i}`, size: i },
    children: Array.from({ length: 20 }, (_, j) =>
      ({ key: `f${i}-${j}`, object: { name: `Document ${i}.${j}`, size: j } })),
  })) });
};

test("the page begins at the root, makes a sample tree, and opens it", { skip }, async () => {
  await browser.go(`${service.url}/`);
  await until("the page is there", () => browser.run(`return !document.querySelector("#no-trees").hidden`));
  assert.equal(await browser.run("return location.pathname"), "/explorer/");
  await browser.run(`document.querySelector("#size").value = "1000"`);
  await click("#sample button");
  await until("the tree is open", async () => (await text("#rows")) === "20 rows of 1,000 nodes");
  await shows("Audio", "Bicycles", "Books");
  assert.equal((await client.getTree("sample")).nodeCount, 1000);
  await click(".brand");
  await until("it is listed", async () => (await text("#trees")).includes("sample"));
  await clean();
});

test("the keyboard table of the treegrid, row by row", { skip }, async () => {
  await makeTree("keys");
  await open("keys");
  await focus("Folder 0");
  // The key, and the row that has the focus then.
  const table = [["ArrowUp", "Folder 0"], ["ArrowDown", "Folder 1"], ["ArrowLeft", "Folder 1"],
    ["ArrowRight", "Folder 1", "true"], ["ArrowRight", "Document 1.0"], ["ArrowRight", "Document 1.0"],
    ["ArrowDown", "Document 1.1"], ["ArrowLeft", "Folder 1", "true"], ["ArrowLeft", "Folder 1", "false"],
    ["End", "Folder 29"], ["ArrowDown", "Folder 29"], ["ArrowUp", "Folder 28"], ["Home", "Folder 0"],
    ["Control+End", "Folder 29"], ["Control+Home", "Folder 0"], ["PageUp", "Folder 0"]];
  for (const [key, label, expanded] of table) {
    await press(key);
    await until(`${key} leads to ${label} ${expanded ?? ""}`, async () => {
      const row = await focused();
      return row.label === label && (expanded === undefined || row.expanded === expanded);
    });
  }
  await press("PageDown");
  const page = (await until("a page on", async () => {
    const { index } = await focused();
    return index > 5 && index;
  }));
  await press("PageUp");
  await focus("Folder 0");
  assert.ok(page < 25);
  await press("f");
  await focus("Folder 1");
  // An arrow ends what is typed.
  await press("ArrowUp");
  await focus("Folder 0");
  await type("folder 17");
  await focus("Folder 17");
  await press("*");
  await until("all siblings are open", async () => (await text("#rows")) === "630 rows of 630 nodes");
  await focus("Folder 17");
  await clean();
});

test("keys select: Space, Shift with arrows, Ctrl+A", { skip }, async () => {
  await makeTree("select");
  await open("select");
  await press("Space");
  await chosen("1 selected");
  await focusedHas({ label: "Folder 0", selected: "true" });
  await press("Shift+ArrowDown", "Shift+ArrowDown");
  await chosen("3 selected");
  await until("they are marked", async () => (await rows()).filter(({ selected }) => selected)
    .map(({ label }) => label).join() === "Folder 0,Folder 1,Folder 2");
  await focus("Folder 2");
  await press("Space");
  await chosen("2 selected");
  await press("Control+a");
  await chosen("630 selected");
  await browser.pointer(await pointIn("Folder 3"), "down", "up");
  await chosen("1 selected");
  await clean();
});

test("rows have the roles, names and places that screen readers need", { skip }, async () => {
  await makeTree("roles");
  await open("roles");
  assert.deepEqual(await browser.computed("[role=treegrid]"), { role: "treegrid", name: "Rows of roles" });
  const row = await browser.computed(".body [role=row]");
  assert.equal(row.role, "row");
  assert.match(row.name, /^Folder 0\b/);
  assert.equal((await browser.computed(".body [role=gridcell]")).role, "gridcell");
  assert.equal((await browser.computed("[role=columnheader]")).role, "columnheader");
  await press("ArrowDown", "ArrowRight", "ArrowRight");
  await focusedHas({ label: "Document 1.0", index: 2, level: "2", expanded: null, position: "1", of: "20" });
  await until("the rows are counted", async () => (await browser.run(
    `return document.querySelector("[role=treegrid]").getAttribute("aria-rowcount")`)) === "51");
  const { role, name } = await browser.computed("#live");
  assert.deepEqual([role, await text("#live")], ["status", "Live"], name);
  for (const id of ["find", "filter", "previous", "next", "rename", "remove", "expand", "collapse",
    "choose", "inspect"]) {
    assert.notEqual((await browser.computed(`#${id}`)).name, "", id);
  }
  await clean();
});

test("names are edited, nodes are added and deleted by keys", { skip }, async () => {
  await makeTree("edits");
  await open("edits");
  const input = () => browser.run(`return document.activeElement.className === "rename"`);
  await press("F2");
  await until("the name is edited", input);
  await type("First");
  await press("Enter");
  await focus("First");
  assert.equal((await client.getTreeNode("edits", "f0")).node.object.name, "First");
  assert.equal((await client.getTreeNode("edits", "f0")).node.object.size, 0);
  await press("F2");
  await until("the name is edited", input);
  await type("Never");
  await press("Escape");
  await focus("First");
  await press("Insert");
  await until("a new one is named", input);
  await type("Second");
  await press("Enter");
  await focus("Second");
  await shows("First", "Second", "Folder 1");
  await press("Delete");
  await until("it asks", () => browser.run(`return document.querySelector("#dialog").open`));
  assert.equal(await text("#dialog-title"), "Delete Second?");
  await press("Escape");
  await focus("Second");
  await press("Delete");
  await until("it asks again", () => browser.run(`return document.querySelector("#dialog").open`));
  await press("Tab", "Enter");
  await focus("Folder 1");
  await shows("First", "Folder 1");
  await clean();
});

test("keys move: Alt with arrows, and cut and paste", { skip }, async () => {
  await makeTree("moves");
  await open("moves");
  const roots = async () =>
    (await client.listTreeRoots("moves", { limit: 5 })).nodes.map(({ key }) => key).join(" ");
  await press("Alt+ArrowDown");
  await shows("Folder 1", "Folder 0", "Folder 2");
  await focusedHas({ label: "Folder 0", index: 1 });
  assert.equal(await roots(), "f1 f0 f2 f3 f4");
  await press("Alt+ArrowUp");
  await shows("Folder 0", "Folder 1", "Folder 2");
  await focusedHas({ label: "Folder 0", index: 0 });
  await press("ArrowDown");
  await focus("Folder 1");
  await press("Alt+ArrowRight");
  await focusedHas({ label: "Folder 1", level: "2" });
  assert.equal(await roots(), "f0 f2 f3 f4 f5");
  await press("Alt+ArrowLeft");
  await focusedHas({ label: "Folder 1", level: "1" });
  assert.equal(await roots(), "f0 f1 f2 f3 f4");
  await press("Control+x", "End");
  await focus("Folder 29");
  await press("Control+v");
  await until("it is pasted", async () => (await labels()).slice(-2).join() === "Folder 29,Document 29.0"
    || (await labels()).includes("Folder 1") && !(await labels()).slice(0, 3).includes("Folder 1"));
  assert.equal((await client.getTreeNode("moves", "f1")).node.parent, "f29");
  await clean();
});

test("keys that are pressed quickly do what they would do slowly, however slow the service is",
  { skip }, async () => {
    await makeTree("quick");
    await open("quick");
    await browser.cdp("Network.enable");
    const latency = (milliseconds) => browser.cdp("Network.emulateNetworkConditions",
      { offline: false, latency: milliseconds, downloadThroughput: -1, uploadThroughput: -1 });
    await latency(150);
    try {
      const { ArrowDown, ArrowUp, Alt, Insert, Enter } = KEYS;
      await browser.keys([ArrowDown, ArrowDown, ArrowDown], [Alt]);
      await shows("Folder 1", "Folder 2", "Folder 3", "Folder 0", "Folder 4");
      await focusedHas({ label: "Folder 0", index: 3 });
      // Arrows lead on from where the row will be.
      await browser.keys([ArrowUp, ArrowUp], [Alt]);
      await press("ArrowDown");
      await focusedHas({ label: "Folder 2", index: 2 });
      await shows("Folder 1", "Folder 0", "Folder 2", "Folder 3", "Folder 4");
      await press("ArrowRight", "ArrowRight", "ArrowDown", "ArrowDown");
      await focusedHas({ label: "Document 2.2", level: "2" });
      await press("Alt+ArrowLeft", "Alt+ArrowDown");
      await focusedHas({ label: "Document 2.2", level: "1" });
      await until("it is behind the next one", async () =>
        (await client.listTreeRoots("quick", { limit: 5 })).nodes.map(({ key }) => key).join()
          === "f1,f0,f2,f3,f2-2");
      await press("Home");
      // What is typed before the name can be edited is the name.
      await browser.keys([Insert, ..."Quick", Enter]);
      await focusedHas({ label: "Quick", index: 1 });
      // Who clicks elsewhere during a move stays there.
      const elsewhere = await pointIn("Folder 2");
      await press("Alt+ArrowUp");
      await browser.pointer(elsewhere, "down", "up");
      await shows("Quick", "Folder 1", "Folder 0", "Folder 2");
      await chosen("1 selected");
      await focusedHas({ label: "Folder 2", selected: "true" });
    } finally {
      await latency(0);
    }
    await clean();
  });

test("dragging moves before, into and after; Escape ends it; what is not allowed says why",
  { skip }, async () => {
    await makeTree("drags");
    await open("drags");
    const drag = async (from, to, share) => {
      const start = await pointIn(from), end = await pointIn(to, share);
      await browser.pointer(start, "down", [start[0] + 4, start[1] + 8], end, 150);
    };
    await drag("Folder 1", "Folder 4", 0.9);
    await browser.pointer("up");
    await until("it is after", async () =>
      (await labels()).join().includes("Folder 4,Folder 1,Folder 5"));
    await drag("Folder 1", "Folder 0", 0.1);
    await browser.pointer("up");
    await shows("Folder 1", "Folder 0");
    await drag("Folder 1", "Folder 7", 0.5);
    await browser.pointer("up");
    await shows("Folder 0");
    assert.equal((await client.getTreeNode("drags", "f1")).node.parent, "f7");
    await drag("Folder 0", "Folder 3", 0.5);
    await press("Escape");
    await browser.pointer("up");
    await until("nothing is dragged", () => browser.run(
      `return document.querySelectorAll(".ghost, .mark, .dragged").length === 0`));
    await drag("Folder 0", "Folder 2", 0.5);
    await until("a closed row opens below the pointer", async () =>
      (await labels()).includes("Document 2.0"));
    await press("Escape");
    await browser.pointer("up");
    assert.equal((await client.getTreeNode("drags", "f0")).node.parent, null);
    await clean();
    const before = await pointIn("Folder 0");
    const bottom = await browser.run(
      `return document.querySelector(".body").getBoundingClientRect().bottom - 5`);
    await browser.pointer(before, "down", [before[0], before[1] + 9], [before[0], bottom], 300);
    await until("rows scroll near the edge", () => browser.run(
      `return document.querySelector(".body").scrollTop > 100`));
    await press("Escape");
    await browser.pointer("up");
    await browser.run(`document.querySelector(".body").scrollTop = 0`);
    await shows("Folder 0");
    await drag("Folder 2", "Document 2.0", 0.5);
    await until("it is refused", () => browser.run(`return document.body.classList.contains("refused")
      && document.querySelector(".ghost").dataset.reason.includes("into itself")`));
    await browser.pointer("up");
    await until("it is told", async () => (await text("#alerts")).includes("into itself"));
    assert.equal((await client.getTreeNode("drags", "f2")).node.parent, null);
    await browser.forgive();
  });

test("a finger that rests drags a row, one that moves scrolls, and a tap selects", { skip }, async () => {
  await makeTree("touch");
  await open("touch");
  const scrolled = () => browser.run(`return document.querySelector(".body").scrollTop`);
  const drag = async (from, to, share) => {
    const start = await pointIn(from), end = await pointIn(to, share);
    await browser.finger(start, "down", 700, [start[0] + 4, start[1] + 8], end, 150);
  };
  await drag("Folder 1", "Folder 4", 0.9);
  await until("it is dragged", () => browser.run(
    `return document.querySelector(".ghost")?.textContent === "Folder 1"`));
  await browser.release();
  await shows("Folder 0", "Folder 2", "Folder 3", "Folder 4", "Folder 1");
  await focusedHas({ label: "Folder 1", index: 4 });
  assert.equal(await scrolled(), 0);
  await drag("Folder 0", "Folder 2", 0.5);
  await browser.release();
  await shows("Folder 2");
  assert.equal((await client.getTreeNode("touch", "f0")).node.parent, "f2");
  // A swipe scrolls, and moves no row.
  const [x, y] = await pointIn("Folder 8");
  await browser.finger([x, y], "down", [x, y - 60], [x, y - 150], "up");
  await until("the rows are scrolled", async () => await scrolled() > 50);
  assert.equal(await browser.run(`return document.querySelectorAll(".ghost, .mark").length`), 0);
  assert.deepEqual((await client.listTreeRoots("touch", { limit: 3 })).nodes.map(({ key }) => key),
    ["f2", "f3", "f4"]);
  // The first tap may only stop the rows.
  await until("a tap selects", async () => {
    await browser.finger(await pointIn("Folder 12"), "down", "up");
    const { label, selected } = await focused();
    return label === "Folder 12" && selected === "true";
  });
  await chosen("1 selected");
  await clean();
});

test("what others do is shown and marked, and moves nothing that is looked at", { skip }, async () => {
  await makeTree("live");
  await open("live");
  await click("#expand");
  await until("all is open", async () => (await text("#rows")) === "630 rows of 630 nodes");
  await browser.run(`document.querySelector(".body").scrollTop = 28 * 100`);
  let before;
  await until("it is scrolled", async () => (before = await rows())[0].index > 90
    && before.every(({ label }) => label !== "Loading…"));
  await client.applyTreeBatch("live", { operations: [
    ...Array.from({ length: 50 }, (_, i) => ({ op: "insert", key: `new${i}`, first: true })),
    { op: "update", key: "f5-2", object: { name: "Renamed" } }] });
  let now;
  await until("the name is shown", async () =>
    (now = await rows()).some(({ label }) => label === "Renamed"));
  for (const { label, top } of before.filter(({ label }) => label !== "Document 5.2")) {
    const same = now.find((row) => row.label === label);
    assert.ok(Math.abs(same.top - top) < 1, `${label} was at ${top}, and is at ${same?.top}`);
  }
  assert.ok(now.find(({ label }) => label === "Renamed").flash);
  await until("nodes of others count", async () => (await text("#rows")) === "680 rows of 680 nodes");
  // Rows that come soon after the user has scrolled are not marked, but later ones are.
  let tries = 0;
  await until("a new one is marked", async () => {
    const name = `Inserted ${tries++}`;
    await client.applyTreeBatch("live", { operations: [
      { op: "insert", key: name, parent: "f5", after: "f5-2", object: { name } }] });
    const shown = () => rows().then((all) => all.find(({ label }) => label === name));
    if ((await until(`${name} is shown`, shown)).flash) return true;
    await client.applyTreeBatch("live", { operations: [{ op: "remove", keys: [name] }] });
    return until(`${name} is gone`, async () => !await shown()).then(() => false);
  });
  // Who is in a row that others remove is led to the one in its place.
  await browser.pointer(await pointIn("Document 5.3"), "down", "up");
  await focus("Document 5.3");
  await chosen("1 selected");
  await client.applyTreeBatch("live", { operations: [{ op: "remove", keys: ["f5-3"] }] });
  await focus("Document 5.4");
  await clean();
});

test("a filter shows matches with what they are in; a search goes from one to the next", { skip },
  async () => {
    await makeTree("find");
    await open("find");
    const fill = async (id, words) => {
      await click(`#${id}`);
      await press("Control+a");
      if (words) await type(words);
      else await press("Delete");
    };
    await fill("filter", "document 7.3");
    await until("it is filtered", async () => (await labels()).join() === "Folder 7,Document 7.3");
    await fill("filter", "");
    await until("all folders are back", async () => (await text("#rows")) === "30 rows of 630 nodes");
    // From the last row, a filter leads to the first match, or stays at the row if that matches.
    const active = (label) => until(`${label} is the active row`, () => browser.run(
      `return document.querySelector(".body .active .label").textContent === ${JSON.stringify(label)}`));
    await press("ArrowDown", "End");
    await focus("Folder 29");
    await fill("filter", "folder 2");
    await shows("Folder 2", "Folder 20");
    await active("Folder 29");
    await fill("filter", "folder 1");
    await shows("Folder 1", "Folder 10");
    await active("Folder 1");
    await fill("filter", "");
    await until("all folders are back", async () => (await text("#rows")) === "30 rows of 630 nodes");
    await fill("find", ".19");
    await until("the first is found", async () => (await text("#found")) === "1 of 30");
    await press("Enter");
    await until("the second is found", async () => (await text("#found")) === "2 of 30");
    await until("it is shown", async () => (await labels()).includes("Document 1.19"));
    await press("Shift+Enter");
    await until("the first again", async () => (await text("#found")) === "1 of 30");
    // In a large tree, it takes long to count all matches.
    await browser.run(`const { fetch } = window;
      window.fetch = async (address, ...more) => {
        if (/count=true/.test(address)) await new Promise((resolve) => (window.count = resolve));
        return fetch(address, ...more);
      };`);
    await fill("find", ".17");
    await until("it is found", async () => (await text("#said")) === "Document 0.17");
    assert.ok((await labels()).includes("Document 0.17"));
    assert.equal(await text("#found"), "");
    await browser.run("count()");
    await until("all are counted", async () => (await text("#found")) === "1 of 30");
    await press("ArrowDown");
    await focus("Document 0.17");
    await clean();
  });

test("a header sorts the rows: up, down, and not at all", { skip }, async () => {
  await makeTree("sorted");
  await open("sorted");
  const first = async (label) => until(`${label} is first`, async () => (await labels())[0] === label);
  const direction = () => browser.run(`return document.querySelector("[role=columnheader]").ariaSort`);
  assert.equal(await direction(), "none");
  await click(".header .sort");
  await until("it is sorted", async () => await direction() === "ascending");
  await first("Folder 0");
  await press("Enter");
  await until("it is reversed", async () => await direction() === "descending");
  await first("Folder 29");
  await client.applyTreeBatch("sorted",
    { operations: [{ op: "insert", key: "new", object: { name: "Folder 99" } }] });
  await first("Folder 99");
  await press("Enter");
  await until("it is in the order of the tree", async () => await direction() === "none");
  await first("Folder 0");
  await clean();
});

test("an address with a key opens the tree there, and details show the requests", { skip },
  async () => {
    await makeTree("deep");
    await open("deep", "&key=f21-4");
    await focus("Document 21.4");
    await press("Enter");
    await until("the details are shown", async () => (await text("#about")) === "Document 21.4");
    assert.equal(JSON.parse(await text("#json")).object.size, 4);
    await until("its path is shown", async () => (await text("#path")) === "Folder 21 / f21-4");
    assert.match(await text("#curl"), /^curl -s 'http:.*\/v1\/sessions\/s_\w+\/nodes\/f21-4'$/);
    await press("Escape");
    await focus("Document 21.4");
    await clean();
  });

test("the first rows wait for no others, and shift nothing; columns of rows below follow", { skip },
  async () => {
    await client.createTree({ tree: "first", nodes: [{ key: "a", object: { name: "Ay", size: 1 },
      children: [{ key: "b", object: { name: "Bee", price: 2 } }] }, { key: "c" }] });
    const headers = () => browser.run(`return [...document.querySelectorAll("[role=columnheader]")]
      .map((cell) => cell.textContent)`);
    await browser.cdp("Network.enable");
    await browser.cdp("Network.setBlockedURLs", { urls: ["*/children?*"] });
    try {
      await open("first");
      await shows("Ay", "c");
      assert.deepEqual(await headers(), ["Name", "Size", "Children"]);
    } finally {
      await browser.cdp("Network.setBlockedURLs", { urls: [] });
      await browser.forgive();
    }
    await open("first");
    await until("columns follow", async () => (await headers()).join() === "Name,Price,Size,Children");
    const shift = await browser.run(`return new Promise((resolve) => {
      let sum = 0;
      new PerformanceObserver((list) => list.getEntries().forEach(({ value }) => (sum += value)))
        .observe({ type: "layout-shift", buffered: true });
      setTimeout(() => resolve(sum), 300);
    })`);
    assert.ok(shift < 0.001, `what is shown shifts by ${shift}`);
    await clean();
  });

test("files become trees, and a faulty one is told by its line", { skip }, async () => {
  await browser.go("about:blank");
  await browser.go(`${service.url}/explorer/`);
  await until("the page is there", () => browser.run(`return !document.querySelector("#home").hidden`));
  const drop = (name, content) => browser.run(`
    const transfer = new DataTransfer();
    transfer.items.add(new File([${JSON.stringify(content)}], ${JSON.stringify(name)}));
    document.querySelector("#home").dispatchEvent(new DragEvent("drop",
      { dataTransfer: transfer, bubbles: true, cancelable: true }));`);
  await drop("bad.ndjson", '{"key":"a"}\n{"key":"b","parent":"a"}\n{"key":"c","parent":"x"}\n');
  await until("the line is told", async () => (await text("#alerts")).includes("Line 3:"));
  assert.equal((await client.listTrees()).trees.some(({ tree }) => tree === "bad"), false);
  await browser.forgive();
  await drop("Price list.csv", "key,parent,name,price\nb,a,Bee,1.5\na,,Ay,2\n");
  await until("it is open", async () => (await text("#title")) === "Price-list");
  await until("its only root is, too", async () => (await labels()).join() === "Ay,Bee");
  await clean();
});

test(`${ROWS.toLocaleString("en")} rows have few elements, and a last one`, { skip }, async () => {
  await client.createTree({ tree: "many" });
  for (let from = 0; from < ROWS; from += 100_000) {
    const lines = [];
    for (let i = from; i < Math.min(ROWS, from + 100_000); i++) {
      lines.push(i % 1000 === 0 ? `{"key":"${i}"}` : `{"key":"${i}","parent":"${i - (i % 1000)}"}`);
    }
    await client.importNodes("many", lines.join("\n"));
  }
  await open("many");
  await click("#expand");
  await browser.run(`document.querySelector(".body .active").focus()`);
  const last = String(ROWS - 1), shown = ROWS.toLocaleString("en");
  await until("all is open", async () => (await text("#rows")) === `${shown} rows of ${shown} nodes`);
  await press("End");
  await focus(last);
  assert.equal((await focused()).index, ROWS - 1);
  assert.ok(await elements() <= 120);
  await press("Home");
  await focus("0");
  await browser.run(`const body = document.querySelector(".body"); body.scrollTop = body.scrollHeight;`);
  await until("the thumb leads to the last row", async () => (await labels()).at(-1) === last);
  await browser.run(`const body = document.querySelector(".body"); body.scrollTop = body.scrollHeight / 2;`);
  let middle;
  await until("the middle is shown", async () => {
    middle = await rows();
    return Math.abs(middle[0].index - ROWS / 2) < ROWS / 100
      && middle.every(({ label }) => label !== "Loading…");
  });
  for (const { label, index } of middle) assert.equal(Number(label), index);
  assert.ok(await elements() <= 120);
  assert.ok(await browser.run(`return document.querySelector(".body").scrollHeight`) <= 6_000_000);
  // The row with the focus, which is far away, still has it.
  assert.equal((await focused()).label, "0");
  await press("ArrowDown");
  await focus("1");
  await clean();
  await browser.go("about:blank");
  await client.deleteTree("many");
});

test("a tab that is hidden closes its stream, and catches up when it is shown", { skip }, async () => {
  await makeTree("hidden");
  await open("hidden");
  const streams = async () => Number(/^tree_server_followers (\d+)$/m.exec(await client.getMetrics())[1]);
  await until("there is a stream", async () => (await streams()) === 1);
  const first = await browser.ask("GET", "/window");
  const { handle } = await browser.ask("POST", "/window/new", { type: "tab" });
  await browser.ask("POST", "/window", { handle });
  await until("the stream is closed", async () => (await streams()) === 0);
  await client.applyTreeBatch("hidden", { operations: [
    { op: "update", key: "f0", object: { name: "Meanwhile" } }] });
  await browser.ask("DELETE", "/window");
  await browser.ask("POST", "/window", { handle: first });
  await until("the change is shown", async () => (await labels())[0] === "Meanwhile");
  await until("it is live again", async () => (await status()) === "Live");
  await clean();
});

test("a service that was killed is found again; a tree that is gone with it is told", { skip },
  async () => {
    const other = await new Service().start();
    try {
      const there = new TreeClient({ url: other.url });
      await there.createTree({ tree: "kept", nodes: [{ key: "a", object: { name: "Ay" } }] });
      await open("kept", "", other.url);
      await other.kill();
      await until("it is offline", async () => (await status()) === "Offline");
      await other.start();
      await until("it is live again", async () => (await status()) === "Live");
      await there.applyTreeBatch("kept", { operations: [
        { op: "update", key: "a", object: { name: "Again" } }] });
      await until("changes are shown", async () => (await labels())[0] === "Again");
      await there.deleteTree("kept");
      await until("the end is told", async () => (await text("#alerts")).includes("kept"));
    } finally {
      await other.remove();
      await browser.go("about:blank");
      await browser.forgive();
    }
  });

test("with keys the page asks for one, and a key for reading changes nothing", { skip }, async () => {
  const { mkdtempSync, rmSync, writeFileSync } = await import("node:fs");
  const folder = mkdtempSync("/tmp/explorer-keys-"), file = `${folder}/keys`;
  writeFileSync(file, "all:0123456789abcdef\nlook:fedcba9876543210:read\n", { mode: 0o600 });
  const guarded = await new Service("--storage", "memory", "--keys-file", file).start();
  try {
    const owner = new TreeClient({ url: guarded.url, credential: "0123456789abcdef" });
    await owner.createTree({ tree: "secret", nodes: [{ key: "a", object: { name: "Ay" } }] });
    await browser.go(`${guarded.url}/explorer/#tree=secret`);
    const asks = (words) => until(`it asks: ${words}`, async () =>
      (await text("#dialog-text")).includes(words)
        && browser.run(`return document.querySelector("#dialog").open`));
    await asks("asks for a key");
    await type("wrong-key-0123456789");
    await press("Enter");
    await asks("does not know");
    await type("fedcba9876543210");
    await press("Enter");
    await until("the rows are shown", async () => (await labels())[0] === "Ay");
    assert.equal(await browser.run(`return document.querySelector("#rename").disabled`), true);
    await focus("Ay");
    await press("F2");
    await until("it is refused", async () => (await text("#alerts")).includes("may look"));
    assert.doesNotMatch(await browser.run("return location.href + document.cookie"), /fedcba/);
    await press("Space");
    await chosen("1 selected");
  } finally {
    await guarded.remove();
    rmSync(folder, { recursive: true });
    await browser.go("about:blank");
    await browser.forgive();
  }
});

test("axe finds no violation, light and dark, wide and narrow", { skip: skip
  || (process.env.AXE_MODULE ? false : "AXE_MODULE names no file of it") }, async () => {
  await makeTree("axe");
  const axe = readFileSync(process.env.AXE_MODULE, "utf8");
  const violations = () => browser.run(`${axe};
    const { violations } = await axe.run(document);
    return violations.map(({ id, nodes }) => id + ": " + nodes.map(({ html }) => html).join(" "));`);
  try {
    for (const scheme of ["light", "dark"]) {
      await browser.cdp("Emulation.setEmulatedMedia",
        { features: [{ name: "prefers-color-scheme", value: scheme }] });
      await browser.go(`${service.url}/explorer/`);
      await until("trees are listed", async () => (await text("#trees")).includes("axe"));
      assert.deepEqual(await violations(), [], `${scheme}, first page`);
      for (const width of [1440, 320]) {
        await browser.cdp("Emulation.setDeviceMetricsOverride",
          { width, height: 800, deviceScaleFactor: 1, mobile: false });
        await open("axe", "&key=f9-9");
        await focus("Document 9.9");
        await press("Space");
        await chosen("1 selected");
        await click("#inspect");
        await until("details are shown", async () => (await text("#about")) === "Document 9.9");
        await click("#choose");
        await until("columns are shown", () =>
          browser.run(`return !document.querySelector("#columns").hidden`));
        assert.deepEqual(await violations(), [], `${scheme}, ${width} wide`);
        const overflow = await browser.run(
          `return document.documentElement.scrollWidth - document.documentElement.clientWidth`);
        assert.equal(overflow, 0, `nothing is wider than ${width}`);
        await browser.run(`location.hash = "tree=axe&key=nothing"`);
        await until("an error is told", async () => (await text("#alerts")) !== "");
        assert.deepEqual(await violations(), [], `${scheme}, ${width} wide, with an error`);
        assert.ok(await browser.run(`const { left, right } = document.querySelector(".alert")
          .getBoundingClientRect(); return left >= 0 && right <= innerWidth`), `it fits into ${width}`);
        await browser.forgive();
      }
      await browser.cdp("Emulation.clearDeviceMetricsOverride");
    }
  } finally {
    await browser.cdp("Emulation.setEmulatedMedia", { features: [] });
  }
  await clean();
});
