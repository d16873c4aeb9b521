import assert from "node:assert/strict";
import test, { after, before } from "node:test";
import { TreeClient } from "../../../Sources/TreeWeb/client/tree-client.js";
import { Browser, noBrowser } from "./support/browser.mjs";
import { explorerPage } from "./support/explorer.mjs";
import { Service, skip as noService, until } from "./support/service.mjs";

const skip = noBrowser || noService;
let service, client;
const browser = new Browser();
const { open, text, press, type, told, focus, focused, labels, shows, filter, editsName, asks, pointIn, click,
  clean } = explorerPage(browser, () => service.url);

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

const makeTree = (tree, size) => client.createTree({ tree, nodes: Array.from({ length: size },
  (_, i) => ({ key: `n${i}`, object: { name: `Node ${i}`, size: (i * 7) % size } })) });
const batch = (tree, ...operations) => client.applyTreeBatch(tree, { operations });
const has = (selector) => until(`${selector} has the focus`, () =>
  browser.run(`return document.activeElement.matches(${JSON.stringify(selector)})`));
const endSession = async () => {
  const id = await browser.run(`return performance.getEntriesByType("resource")
    .map(({ name }) => /sessions\\/(s_\\w+)/.exec(name)?.[1]).filter(Boolean).at(-1)`);
  await (await client.openSession(id)).deleteSession();
};
const sticky = () => browser.run(`return [...document.querySelectorAll(".sticky .label")]
  .map(({ textContent }) => textContent).join(" / ")`);

test("the focus stays in the rows when the row that has it is deleted, also the last one", { skip },
  async () => {
    await makeTree("rows", 3);
    await open("rows");
    await press("Delete");
    await asks();
    await batch("rows", { op: "remove", key: "n0" });
    await press("Tab", "Enter");
    await told("Somebody else has deleted Node 0 already.");
    await focus("Node 1");
    await filter("node 2", 1);
    await focus("Node 2");
    await press("Delete");
    await asks();
    await press("Tab", "Enter");
    await has(".treegrid");
    await browser.run(`document.querySelector("#filter").value = "";
      document.querySelector("#filter").dispatchEvent(new Event("input"))`);
    await focus("Node 1");
    await batch("rows", { op: "remove", key: "n1" });
    await has(".treegrid");
    await batch("rows", { op: "insert", key: "new", object: { name: "New one" } });
    await focus("New one");
    await batch("rows", { op: "remove", key: "new" });
    await has(".treegrid");
    await press("Insert");
    await editsName();
    await type("First");
    await press("Enter");
    await focus("First");
    await browser.forgive();
  });

test("the focus is not lost with a session, a tree, or a node that is not there", { skip }, async () => {
  await makeTree("gone", 3);
  await open("gone");
  await press("ArrowDown", "Delete");
  await asks();
  await endSession();
  await told("The session had ended");
  await focus("Node 1");
  await client.deleteTree("gone");
  await told("gone is gone: somebody else has deleted it.");
  await has("#home");
  await makeTree("gone", 3);
  await browser.go("about:blank");
  await browser.go(`${service.url}/explorer/#tree=gone&key=nowhere`);
  await told("The node is gone: somebody else has deleted it.");
  await focus("Node 0");
  await browser.run(`history.replaceState(null, "", "#"); dispatchEvent(new Event("hashchange"))`);
  await has("#home");
  await browser.forgive();
});

test("a drag ends with its session", { skip }, async () => {
  await makeTree("dragged", 3);
  await open("dragged");
  const [x, y] = await pointIn("Node 1");
  await browser.pointer([x, y], "down", [x + 4, y + 8], [x, y + 40]);
  await until("it is dragged", () => browser.run(`return Boolean(document.querySelector(".ghost"))`));
  await endSession();
  await told("The session had ended");
  await browser.release();
  assert.deepEqual(await browser.run(
    `return [document.querySelectorAll(".ghost").length, document.body.className]`), [0, ""]);
  await browser.forgive();
});

test("the active row is seen when the focus goes back to it", { skip }, async () => {
  await makeTree("sorted", 200);
  await open("sorted");
  await browser.run(`[...document.querySelectorAll(".sort")].at(-1).click()`);
  await shows("Node 0", "Node 143");
  await press("ArrowDown");
  await focus("Node 143");
  await browser.run(`[...document.querySelectorAll(".sort")].at(-1).click()`);
  await until("it is out of sight", async () => !(await labels()).includes("Node 143"));
  await click("#find");
  await press("ArrowDown");
  await focus("Node 143");
  await until("it is seen", async () => (await labels()).slice(1).includes("Node 143"));
  await clean();
});

test("rows that came with an answer have their ancestors above them, and places", { skip }, async () => {
  await client.createTree({ tree: "deep", nodes: Array.from({ length: 30 }, (_, i) => ({ key: `${i}`,
    object: { name: `Folder ${i}` }, children: Array.from({ length: 500 }, (_, j) =>
      ({ key: `${i}-${j}`, object: { name: `File ${i}.${j}` } })) })) });
  await open("deep");
  await press("Control+f");
  await type("File 20.250");
  await until("it is found", async () => (await labels()).includes("File 20.250"));
  await until("its folder is shown", async () => await sticky() === "Folder 20");
  await press("ArrowDown", "PageUp", "PageUp");
  await until("its folder is shown", async () => await sticky() === "Folder 20");
  await until("it has a place", async () => Number((await focused()).of) === 500);
  await clean();
});

test("work that takes long is shown, and told", { skip }, async () => {
  await makeTree("slow", 50);
  await open("slow");
  await browser.cdp("Network.enable");
  const latency = (milliseconds) => browser.cdp("Network.emulateNetworkConditions",
    { offline: false, latency: milliseconds, downloadThroughput: -1, uploadThroughput: -1 });
  const isBusy = () => browser.run(`return document.querySelector(".treegrid").ariaBusy === "true"
    && Boolean(document.querySelector(".treegrid.waiting"))`);
  await latency(1500);
  try {
    await click("#expand");
    await until("it is busy", isBusy);
    await until("it is told", async () => await text("#said") === "Working…");
    await until("it is done", async () => !await isBusy());
  } finally {
    await latency(0);
  }
  await clean();
});

test("a message about long names leaves room for the rows", { skip }, async () => {
  await client.createTree({ tree: "long", nodes: [{ key: "a", object: { name: "x".repeat(5000) } }] });
  await open("long");
  await press("F2");
  await editsName();
  await browser.run(`document.activeElement.value = "y".repeat(2_000_000)`);
  await press("Enter");
  await told("…");
  assert.ok(await browser.run(`return document.querySelector(".alert").offsetHeight`) < 200);
  await browser.forgive();
});
