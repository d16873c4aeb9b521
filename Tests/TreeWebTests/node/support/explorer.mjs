import assert from "node:assert/strict";
import { until } from "./service.mjs";

/** Keys of WebDriver by their names. */
export const KEYS = { ArrowDown: "\uE015", ArrowUp: "\uE013", ArrowLeft: "\uE012", ArrowRight: "\uE014",
  Home: "\uE011", End: "\uE010", PageUp: "\uE00E", PageDown: "\uE00F", Enter: "\uE007", Space: " ",
  Escape: "\uE00C", F2: "\uE032", Insert: "\uE016", Delete: "\uE017", Tab: "\uE004",
  Shift: "\uE008", Control: "\uE009", Alt: "\uE00A" };

/** The actions of a test in the explorer, and the state that it sees there. */
export function explorerPage(browser, serviceUrl) {
  const open = async (tree, more = "", url = serviceUrl()) => {
    await browser.go("about:blank");
    await browser.go(`${url}/explorer/#tree=${tree}${more}`);
    await until("the rows are live", async () => await status() === "Live"
      && await browser.run(`return document.activeElement.getAttribute("role") === "row"`));
  };
  const status = () => browser.run(`return document.querySelector("#live").textContent`);
  const text = (selector) => browser.run(
    `return document.querySelector(${JSON.stringify(selector)}).textContent`);
  /** Presses keys by their names, such as `Shift+ArrowDown`. */
  const press = async (...names) => {
    for (const name of names) {
      const parts = name === "+" ? [name] : name.split("+"), keys = parts.map((part) => KEYS[part] ?? part);
      await browser.keys(keys.slice(-1), keys.slice(0, -1));
    }
  };
  const type = (words) => browser.keys([...words]);
  /** The row with the focus. */
  const focused = () => browser.run(`const row = document.activeElement;
    const of = (name) => row.getAttribute("aria-" + name);
    // A name that is not saved yet is none.
    const label = row.querySelector?.(".label:not(.pending > * > .label)")?.textContent;
    return { label, role: row.getAttribute("role"),
      index: Number(of("rowindex")) - 2, level: of("level"), expanded: of("expanded"),
      selected: of("selected"), position: of("posinset"), of: of("setsize") };`);
  const focus = (label) => until(`${label} has the focus`, async () => (await focused()).label === label);
  /** The rows on the screen from top to bottom, those that ancestors cover left out. */
  const rows = () => browser.run(`
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    if (!document.querySelector(".body")) return [];
    const body = document.querySelector(".body").getBoundingClientRect();
    const top = Math.max(body.top, document.querySelector(".sticky").getBoundingClientRect().bottom);
    return [...document.querySelectorAll(".body [role=row]")]
      .map((row) => ({ at: row.getBoundingClientRect(), row }))
      .filter(({ at }) => at.bottom > top + 1 && at.top < body.bottom - 1)
      .sort((a, b) => a.at.top - b.at.top)
      .map(({ at, row }) => ({ label: row.querySelector(".label").textContent, top: at.top,
        index: Number(row.getAttribute("aria-rowindex")) - 2, flash: row.classList.contains("flash"),
        selected: row.getAttribute("aria-selected") === "true" }));`);
  const labels = async () => (await rows()).map(({ label }) => label);
  const elements = () => browser.run(`return document.querySelectorAll(".treegrid .row, .body [role=row]").length`);
  /** A point in a row: 0 is its top, 1 its bottom. */
  const pointIn = (label, share = 0.5) => until(`${label} is in the page`, () => browser.run(`
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    const row = [...document.querySelectorAll(".body [role=row]")]
      .find((row) => row.querySelector(".label").textContent === ${JSON.stringify(label)});
    if (!row) return null;
    const { left, top, height } = row.getBoundingClientRect();
    return [left + 150, top + height * ${share}];`));
  const click = async (selector) => {
    const [x, y] = await browser.run(`const box = document.querySelector(${JSON.stringify(selector)})
      .getBoundingClientRect(); return [box.left + box.width / 2, box.top + box.height / 2];`);
    await browser.pointer([x, y], "down", "up");
  };
  /** Checks that the console tells of no error. */
  const clean = async () => assert.deepEqual(await browser.complaints(), []);
  /** Waits until the row with the focus has members of what `focused` gives. */
  const focusedHas = (what) => until(`the row with the focus has ${JSON.stringify(what)}`, async () => {
    const row = await focused();
    return Object.keys(what).every((name) => row[name] === what[name]);
  });
  const chosen = (words) => until(words, async () => (await text("#chosen")) === words);
  /** Waits until the rows on the screen begin with some. */
  const shows = (...first) => until(`the first rows are ${first}`, async () =>
    (await labels()).slice(0, first.length).join() === first.join());
  /** Waits until something is announced. */
  const said = (words) => until(`it is said: ${words}`, async () => (await text("#said")) === words);
  /** Waits until an alert tells something. */
  const told = (words) => until(`it is told: ${words}`, async () => (await text("#alerts")).includes(words));
  /** Filters the rows, and goes back to them. */
  const filter = async (words, count) => {
    await click("#filter");
    await press("Control+a");
    await type(words);
    await until(`it is filtered by ${words}`, async () => (await text("#rows")).startsWith(`${count} row`));
    await press("ArrowDown");
  };
  const editsName = () => until("a name is edited", () =>
    browser.run(`return document.activeElement.className === "rename"`));
  /** Waits until a dialog asks, and returns its words. */
  const asks = async () => {
    await until("it asks", () => browser.run(`return document.querySelector("#dialog").open`));
    return `${await text("#dialog-title")} ${await text("#dialog-text")}`;
  };
  return { open, status, text, press, type, focused, focus, focusedHas, chosen, rows, labels, shows, elements,
    pointIn, click, clean, said, told, filter, editsName, asks };
}
