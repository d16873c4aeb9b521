import assert from "node:assert/strict";
import test, { after, before } from "node:test";
import { TreeClient } from "../../../Sources/TreeWeb/client/tree-client.js";
import { Browser, noBrowser } from "./support/browser.mjs";
import { explorerPage } from "./support/explorer.mjs";
import { Service, skip as noService, until } from "./support/service.mjs";

const skip = noBrowser || noService;
let service, client;
const browser = new Browser();
const { open, status, text, press, type, focus, focusedHas, chosen, rows, shows, click, clean } =
  explorerPage(browser, () => service.url);

before(async () => {
  if (skip) return;
  service = await new Service().start();
  client = new TreeClient({ url: service.url });
  await browser.start();
});

after(async () => {
  await browser.stop();
  await service?.remove();
});

/** Makes a tree: 20 folders of 10 documents each. */
const makeTree = (tree) => client.createTree({ tree, nodes: Array.from({ length: 20 }, (_, i) => ({
  key: `f${i}`, object: { name: `Folder ${i}`, size: 20 - i },
  children: Array.from({ length: 10 }, (_, j) =>
    ({ key: `f${i}-${j}`, object: { name: `Document ${i}.${j}`, size: j } })),
})) });

const told = (words) => until(`it is told: ${words}`, async () => (await text("#alerts")).includes(words));
const isShown = (selector) =>
  browser.run(`return document.querySelector(${JSON.stringify(selector)}).checkVisibility()`);
const editsName = (name) => until(`${name} is edited`, () => browser.run(`
  const { className, value } = document.activeElement;
  return className === "rename" && value === ${JSON.stringify(name)}`));
/** Waits until the state of the session was read after what the user did. */
const kept = async (before) => until("the state is kept", async () => (await states()) > before);
const states = () => browser.run(
  `return performance.getEntriesByType("resource").filter(({ name }) => /\\/state/.test(name)).length`);
/** Deletes the session of the page. */
const endSession = async () => {
  const id = await browser.run(`return performance.getEntriesByType("resource")
    .map(({ name }) => /sessions\\/(s_\\w+)/.exec(name)?.[1]).filter(Boolean).at(-1)`);
  await (await client.openSession(id)).deleteSession();
};

test("a session that ends is continued: rows, order, filter, selection, columns and focus", { skip },
  async () => {
    await makeTree("ended");
    await open("ended");
    await press("ArrowDown", "ArrowDown", "ArrowRight");
    await focusedHas({ label: "Folder 2", expanded: "true" });
    await click(".header .sort");
    await shows("Folder 0", "Folder 1", "Folder 2", "Document 2.0");
    await click("#choose");
    await until("columns are shown", () => isShown("#columns"));
    let before = await states();
    await click("#columns [type=checkbox]");
    await press("Escape");
    await browser.run(`document.querySelector(".body .active").focus()`);
    await press("ArrowDown", "Space", "ArrowDown");
    await focus("Document 2.1");
    await chosen("1 selected");
    await kept(before);
    const shown = async () => [await rows(), await text("#rows"), await text("#chosen"),
      await text(".header")];
    const then = await shown();
    await endSession();
    await told("The session had ended");
    await focus("Document 2.1");
    await until("all is as before", async () => JSON.stringify(await shown()) === JSON.stringify(then));
    assert.equal(await browser.run(`return document.querySelector("[role=columnheader]").ariaSort`),
      "ascending");
    await click(".alert button");
    // The same under a filter, while it is being typed.
    await click("#filter");
    await type(".9");
    await until("it is filtered", async () => (await text("#rows")).startsWith("40 rows"));
    await endSession();
    await told("The session had ended");
    await until("it is filtered", async () => (await text("#rows")).startsWith("40 rows"));
    await shows("Folder 0", "Document 0.9", "Folder 1");
    assert.deepEqual(await browser.run(`const { id, value } = document.activeElement; return [id, value]`),
      ["filter", ".9"]);
    await type("9");
    await until("nothing is found", async () => (await text("#rows")).startsWith("0 rows"));
    await press("Control+a", "Delete");
    await until("the filter is off", async () => (await text("#rows")).startsWith("30 rows"));
    // And while a name is edited.
    await click(".alert button");
    await browser.run(`document.querySelector(".body .active").focus()`);
    await press("Home", "F2");
    await editsName("Folder 0");
    await type("Fir");
    await endSession();
    await told("The session had ended");
    await editsName("Fir");
    await type("st");
    await press("Enter");
    await focus("First");
    assert.equal((await client.getTreeNode("ended", "f0")).node.object.name, "First");
    await browser.forgive();
  });

test("a name that cannot be saved is edited again", { skip }, async () => {
  await makeTree("unsaved");
  await open("unsaved");
  await press("F2");
  await editsName("Folder 0");
  await service.kill();
  await type("Typed once");
  await press("Enter");
  await told("Folder 0 was not renamed to Typed once.");
  await editsName("Typed once");
  await service.start();
  await until("it is live again", async () => (await status()) === "Live");
  await press("Enter");
  await focus("Typed once");
  assert.equal((await client.getTreeNode("unsaved", "f0")).node.object.name, "Typed once");
  await browser.forgive();
});

test("who is offline need not wait for the next attempt", { skip }, async () => {
  await makeTree("offline");
  await open("offline");
  assert.equal(await isShown("#reconnect"), false);
  // Pauses last until they are ended.
  await browser.run(`window.timeout = window.setTimeout;
    window.setTimeout = (action, after, ...more) =>
      timeout(action, after > 100 && /\\bend\\b|abort/i.test(String(action)) ? 1e8 : after, ...more);`);
  await service.kill();
  await until("it is offline", async () => (await status()) === "Offline");
  await until("there is a button", () => isShown("#reconnect"));
  await service.start();
  await browser.run(`document.querySelector("#reconnect").focus()`);
  await press("Enter");
  await until("it is live again", async () => (await status()) === "Live");
  assert.equal(await isShown("#reconnect"), false);
  await focus("Folder 0");
  await browser.forgive();
});

test("a tree that cannot be opened is tried again, and its state is shown meanwhile", { skip },
  async () => {
    await makeTree("slow");
    await browser.go("about:blank");
    await browser.go(`${service.url}/explorer/`);
    await until("the page is there", () => isShown("#home"));
    await browser.cdp("Network.enable");
    await browser.cdp("Network.setBlockedURLs", { urls: ["*/v1/sessions*"] });
    try {
      await browser.run(`location.hash = "tree=slow"`);
      await told("slow cannot be opened");
      await until("it has ended", async () => (await status()) === "Ended");
    } finally {
      await browser.cdp("Network.setBlockedURLs", { urls: [] });
    }
    // What is announced and shown is recorded, because it is soon replaced.
    await browser.run(`window.seen = [];
      for (const id of ["said", "live"]) {
        const element = document.getElementById(id);
        new MutationObserver(() => window.seen.push(element.textContent))
          .observe(element, { childList: true, characterData: true, subtree: true });
      }`);
    const seen = () => browser.run(`return window.seen`);
    const delay = (latency) => browser.cdp("Network.emulateNetworkConditions",
      { offline: false, latency, downloadThroughput: -1, uploadThroughput: -1 });
    await delay(2500);
    try {
      await click("#reconnect");
      await until("it says that it loads", async () => (await seen()).includes("Loading"));
      await until("it is announced", async () => (await seen()).includes("Opening slow…"));
    } finally {
      await delay(0);
    }
    await focus("Folder 0");
    await browser.forgive();
  });

test("the columns close by Escape, and where Tab leaves them", { skip }, async () => {
  await makeTree("columns");
  await open("columns");
  const at = () => browser.run(`return document.activeElement.id`);
  await click("#choose");
  await until("columns are shown", () => isShown("#columns"));
  await press("Tab");
  assert.equal(await isShown("#columns"), true);
  await press("Tab");
  await until("they are closed", async () => !await isShown("#columns"));
  await click("#choose");
  await until("columns are shown", () => isShown("#columns"));
  await press("Escape");
  await until("they are closed", async () => !await isShown("#columns"));
  assert.equal(await at(), "choose");
  await press("Enter");
  await until("columns are shown", () => isShown("#columns"));
  await browser.run(`document.querySelector(".body .active").focus()`);
  await until("they are closed", async () => !await isShown("#columns"));
  await clean();
});

test("names of odd characters stay in their rows, and are seen as they are", { skip }, async () => {
  const odd = ["two\nlines", "turned\u202Egpj.txt", "\u200B", "👨‍👩‍👧 family"];
  await client.createTree({ tree: "odd", nodes: odd.map((key) => ({ key })) });
  await open("odd");
  await shows("two\\nlines", "turned\\u202egpj.txt", '"\\u200b"', "👨‍👩‍👧 family");
  await press("ArrowDown", "Enter");
  await until("the details are shown", async () => (await text("#about")) === "turned\\u202egpj.txt");
  assert.equal(JSON.parse(await text("#json")).key, odd[1]);
  assert.doesNotMatch(await browser.run(`return document.body.innerText`), /\u202E/);
  // A name that was not changed is not saved.
  await press("Escape", "Home", "F2");
  await editsName("twolines");
  await press("Enter");
  await focus("two\\nlines");
  assert.deepEqual((await client.getTreeNode("odd", odd[0])).node.object, null);
  assert.equal((await client.getTree("odd")).revision, 0);
  await clean();
});
