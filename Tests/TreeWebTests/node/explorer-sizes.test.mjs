import assert from "node:assert/strict";
import test, { after, before } from "node:test";
import { TreeClient } from "../../../Sources/TreeWeb/client/tree-client.js";
import { Browser, noBrowser } from "./support/browser.mjs";
import { explorerPage } from "./support/explorer.mjs";
import { Service, skip as noService, until } from "./support/service.mjs";

const skip = noBrowser || noService;
let service, client;
const browser = new Browser();
const { open, click, clean, press, focus } = explorerPage(browser, () => service.url);
const size = (width, height) => browser.cdp("Emulation.setDeviceMetricsOverride",
  { width, height, deviceScaleFactor: 1, mobile: false });

before(async () => {
  if (skip) return;
  service = await new Service("--storage", "memory").start();
  client = new TreeClient({ url: service.url });
  await browser.start();
  const deep = (level) => ({ key: `level ${level}`, section: level ? undefined : "One",
    children: level < 6 ? [deep(level + 1)] : Array.from({ length: 40 }, (_, i) => ({ key: `leaf ${i}` })) });
  await client.createTree({ tree: "sizes", sections: ["One", "Two"], nodes: [deep(0)] });
});

after(async () => {
  await browser.stop();
  await service?.remove();
});

/** The whole rows that are seen, those that ancestors cover left out, and the width of the page. */
const seen = () => browser.run(`
  const body = document.querySelector(".body").getBoundingClientRect();
  const top = Math.max(body.top, document.querySelector(".sticky").getBoundingClientRect().bottom);
  const rows = [...document.querySelectorAll(".body [role=row]")]
    .map((row) => row.getBoundingClientRect())
    .filter((at) => at.top > top - 1 && at.bottom < body.bottom + 1);
  return { rows: rows.length, width: document.documentElement.scrollWidth,
    sticky: document.querySelectorAll(".sticky .row").length };`);

test("at 400 % zoom there is room for rows, also below sections and ancestors", { skip }, async () => {
  await size(1280, 1024);
  await open("sizes");
  await click("#expand");
  await browser.run(`document.querySelector(".body [tabindex='0']").focus()`);
  await press("End");
  await focus("leaf 39");
  assert.ok((await seen()).sticky > 1);
  // A window of 1280 by 1024 pixels.
  await size(320, 256);
  await until("the rows that others cover are few", async () => (await seen()).sticky === 1);
  await press("Home");
  await focus("level 0");
  const { rows, width } = await seen();
  assert.ok(rows >= 4, `${rows} rows`);
  assert.equal(width, 320);
  await clean();
});

test("on a phone, the tools take two lines, and keep their names", { skip }, async () => {
  for (const width of [320, 360, 412]) {
    await size(width, 740);
    await open("sizes");
    const { top, right } = await browser.run(`
      const boxes = [...document.querySelectorAll(".top :is(a, h1, .field, button)")]
        .map((part) => part.getBoundingClientRect());
      return { top: document.querySelector(".top").offsetHeight,
        right: Math.max(...boxes.map(({ right }) => right)) };`);
    assert.ok(top <= 76, `${top} pixels at ${width}`);
    assert.ok(right <= width, `${right} of ${width}`);
    assert.deepEqual(await browser.computed("#add"), { role: "button", name: "Add" });
    assert.deepEqual(await browser.computed(".brand"), { role: "link", name: "Trees" });
    assert.deepEqual(await browser.computed("#title"), { role: "heading", name: "sizes" });
    assert.equal((await browser.computed(".find")).role, "search");
  }
  await clean();
});
