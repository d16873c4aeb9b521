import assert from "node:assert/strict";
import test, { after, before } from "node:test";
import { TreeClient } from "../../../Sources/TreeWeb/client/tree-client.js";
import { Browser, noBrowser } from "./support/browser.mjs";
import { explorerPage } from "./support/explorer.mjs";
import { Service, skip as noService, until } from "./support/service.mjs";

const skip = noBrowser || noService;
let service, client;
const browser = new Browser();
const { open, text, press, said, focus, chosen, shows, asks, clean } =
  explorerPage(browser, () => service.url);

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

const makeTree = (tree, size, inside = 0) => client.createTree({ tree, nodes: Array.from(
  { length: size }, (_, i) => ({ key: `n${i}`, object: { name: `Node ${i}` }, ...(inside && { children:
    Array.from({ length: inside }, (_, j) => ({ key: `n${i}-${j}`, object: { name: `In ${i}.${j}` } })) }),
  })) });
const batch = (tree, ...operations) => client.applyTreeBatch(tree, { operations });
const sizeOf = async (tree) => (await client.getTree(tree)).nodeCount;
const childrenOf = async (tree, parent) =>
  (await client.listTreeRoots(tree, { parent })).nodes.map(({ key }) => key).join(" ");

test("all of more than ten thousand nodes are selected, moved and deleted at once", { skip },
  async () => {
    await makeTree("many", 12_000);
    await open("many");
    await press("Control+a");
    await chosen("12,000 selected");
    await press("Space", "Control+End");
    await chosen("11,999 selected");
    await focus("Node 11999");
    await press("Control+x");
    await until("they are cut", async () => (await text("#said")).startsWith("11,999 nodes cut"));
    await press("Control+Home", "Control+v");
    await until("they are moved", async () =>
      (await client.getTreeNode("many", "n0")).node.childCount === 11_999);
    await said("11,999 nodes moved.");
    await press("ArrowDown", "Delete");
    assert.equal(await asks(), "Delete 11,999 selected nodes? This cannot be undone.");
    await press("Tab", "Enter");
    await until("they are deleted", async () => await sizeOf("many") === 1);
    await chosen("");
    await shows("Node 0");
    await clean();
  });

test("of more than ten thousand nodes, it is told how many are not shown", { skip }, async () => {
  await makeTree("folded", 3, 4000);
  await open("folded");
  await press("Control+a");
  await chosen("12,003 selected");
  await press("Delete");
  assert.equal(await asks(), "Delete 12,003 selected nodes? 12,000 of them are not shown. "
    + "This cannot be undone.");
  await press("Escape");
  await clean();
});

test("selected nodes that others delete are counted no more, and no obstacle", { skip }, async () => {
  await makeTree("fewer", 6);
  await open("fewer");
  await press("Space", "Shift+ArrowDown", "Shift+ArrowDown");
  await chosen("3 selected");
  await batch("fewer", { op: "remove", key: "n1" });
  await chosen("2 selected");
  await press("Delete");
  assert.match(await asks(), /^Delete 2 selected nodes/);
  await batch("fewer", { op: "remove", key: "n0" });
  await press("Tab", "Enter");
  await until("the rest is gone", async () => await sizeOf("fewer") === 3);
  await said("1 node deleted. Somebody else has deleted 1 before.");
  await chosen("");
  await browser.forgive();
});

test("selected nodes that are inside others that move stay inside", { skip }, async () => {
  await makeTree("inside", 4, 3);
  await open("inside");
  await press("*");
  await shows("Node 0", "In 0.0");
  await press("Shift+ArrowDown", "Shift+ArrowDown", "Shift+ArrowDown", "Shift+ArrowDown");
  await chosen("5 selected");
  await press("Control+x");
  await said("2 nodes cut. Paste into another row with Control V.");
  await press("Control+End", "Control+Home", "Control+End", "ArrowLeft");
  await focus("Node 3");
  await press("Control+v");
  await said("2 nodes moved.");
  assert.equal(await childrenOf("inside", "n3"), "n3-0 n3-1 n3-2 n0 n1");
  assert.equal(await childrenOf("inside", "n0"), "n0-0 n0-1 n0-2");
  await clean();
});
