import assert from "node:assert/strict";
import test, { after, before } from "node:test";
import { TreeClient } from "../../../Sources/TreeWeb/client/tree-client.js";
import { Browser, noBrowser } from "./support/browser.mjs";
import { explorerPage } from "./support/explorer.mjs";
import { Service, skip as noService, until } from "./support/service.mjs";

const skip = noBrowser || noService;
let service, client;
const browser = new Browser();
const { open, text, press, type, filter, said, focus, focusedHas, shows, pointIn, editsName, click,
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

const keysOf = async (tree, query) =>
  (await client.listTreeRoots(tree, query)).nodes.map(({ key }) => key).join(" ");
const down = async (steps) => {
  for (let step = 0; step < steps; step++) await press("ArrowDown");
};

test("in a tree with sections, Alt with arrows moves among the roots of a section, and on to the next",
  { skip }, async () => {
    await client.createTree({ tree: "parts", sections: ["One", "Two", "None", "Three"] });
    await client.applyTreeBatch("parts", { operations: ["One", "Two", "Three"].flatMap((section) =>
      [0, 1, 2].map((i) => ({ op: "insert", key: `${section}${i}`, section }))) });
    const sections = async (...wanted) => {
      for (const [i, section] of ["One", "Two", "None", "Three"].entries()) {
        await until(`${section} has ${wanted[i]}`, async () =>
          await keysOf("parts", { section }) === wanted[i]);
      }
    };
    await open("parts");
    await down(8);
    await focus("Three2");
    await press("Alt+ArrowUp");
    await sections("One0 One1 One2", "Two0 Two1 Two2", "", "Three0 Three2 Three1");
    await press("ArrowDown");
    await focus("Three1");
    await press("Alt+ArrowRight");
    await focusedHas({ label: "Three1", level: "2" });
    assert.equal(await keysOf("parts", { parent: "Three2" }), "Three1");
    await press("Alt+ArrowLeft");
    await sections("One0 One1 One2", "Two0 Two1 Two2", "", "Three0 Three2 Three1");
    await press("Home");
    await down(4);
    await focus("Two1");
    await press("Alt+ArrowDown");
    await sections("One0 One1 One2", "Two0 Two2 Two1", "", "Three0 Three2 Three1");
    await press("Alt+ArrowDown");
    await sections("One0 One1 One2", "Two0 Two2", "Two1", "Three0 Three2 Three1");
    await said("1 node moved to None.");
    await press("Alt+ArrowDown");
    await sections("One0 One1 One2", "Two0 Two2", "", "Two1 Three0 Three2 Three1");
    await focus("Two1");
    await press("Alt+ArrowUp", "Alt+ArrowUp");
    await sections("One0 One1 One2", "Two0 Two2 Two1", "", "Three0 Three2 Three1");
    await press("Home", "Alt+ArrowUp");
    await said("This is the first one already.");
    await clean();
  });

test("under a filter, Alt with arrows moves among the rows that it shows", { skip }, async () => {
  await client.createTree({ tree: "some", nodes: Array.from({ length: 10 }, (_, i) => ({
    key: `k${i}`, object: { name: `${i % 3 ? "Other" : "Node"} ${i}` } })) });
  await open("some");
  await filter("node", 4);
  await down(1);
  await focus("Node 3");
  await press("Alt+ArrowDown");
  await shows("Node 0", "Node 6", "Node 3", "Node 9");
  assert.equal(await keysOf("some"), "k0 k1 k2 k4 k5 k6 k3 k7 k8 k9");
  await press("End", "Alt+ArrowUp");
  await shows("Node 0", "Node 6", "Node 9", "Node 3");
  assert.equal(await keysOf("some"), "k0 k1 k2 k4 k5 k6 k9 k3 k7 k8");
  await press("Alt+ArrowRight");
  await focusedHas({ label: "Node 9", level: "2" });
  assert.equal(await keysOf("some", { parent: "k6" }), "k9");
  await shows("Node 0", "Node 6", "Node 9", "Node 3");
  await clean();
});

test("sections are shown, also empty ones, to go there, to add and to drag to", { skip }, async () => {
  await client.createTree({ tree: "bar", sections: ["One", "None", "Two"],
    nodes: ["a", "b", "c"].map((key) => ({ key, section: key === "c" ? "Two" : "One" })) });
  await open("bar");
  const bar = (words) => until(`the sections are ${words}`, async () => await browser.run(
    `return [...document.querySelectorAll("[data-section]")].map((button) =>
      button.textContent + (button.ariaCurrent ? "!" : "")).join()`) === words);
  await bar("One2!,None,Two1");
  await click("[data-section=Two]");
  await focus("c");
  await bar("One2,None,Two1!");
  await click("[data-section=None]");
  await editsName();
  await type("Fresh");
  await press("Enter");
  await focus("Fresh");
  await bar("One2,None1!,Two1");
  const from = await pointIn("a"), to = await browser.run(`const { left, top } =
    document.querySelector("[data-section=Two]").getBoundingClientRect(); return [left + 9, top + 9];`);
  await browser.pointer(from, "down", [from[0] + 4, from[1] + 8], to, 200, "up");
  await until("it is there", async () => await keysOf("bar", { section: "Two" }) === "c a");
  await said("1 node moved to Two.");
  await click("[data-folds=One]");
  await shows("Fresh", "c");
  await said("Collapsed, 3 rows.");
  await until("the section is folded, and keeps the focus", () => browser.run(
    `const { ariaExpanded, dataset } = document.activeElement;
    return dataset.folds === "One" && ariaExpanded === "false"`));
  assert.deepEqual(await browser.computed("[data-folds=One]"), { role: "button", name: "One" });
  await click("[data-folds=None]");
  await click("[data-folds=Two]");
  await until("it says why there is no row", async () =>
    await text(".nothing") === "All sections are collapsed.");
  await click("[data-section=Two]");
  await focus("c");
  await click("[data-folds=One]");
  await shows("b");
  await client.applyTreeBatch("bar", { operations: [{ op: "insertSection", section: "Last" }] });
  await bar("One1,None1,Two2!,Last");
  await open("some");
  assert.equal(await browser.run(`return document.querySelector("#sections").hidden`), true);
  assert.equal(await text("#sections"), "");
  await clean();
});
