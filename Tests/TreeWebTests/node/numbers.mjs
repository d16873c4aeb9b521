// Measures the explorer in a browser: `TREE_SERVER=.build/release/tree-server node numbers.mjs`.
// ROWS has the sizes of the trees, RUNS how often all is measured. No test: a busy machine is slow.

import { loadavg } from "node:os";
import { TreeClient } from "../../../Sources/TreeWeb/client/tree-client.js";
import { sampleLines } from "../../../Sources/TreeWeb/explorer/sample.js";
import { Browser } from "./support/browser.mjs";
import { explorerPage } from "./support/explorer.mjs";
import { Proxy, Service, until } from "./support/service.mjs";

const SIZES = (process.env.ROWS ?? "1000000,10000000").split(",").map(Number);
const RUNS = Number(process.env.RUNS) || 5, JUMPS = 40, CLICKS = 10;

/**
 * Runs in the page before its own scripts. Times are those of the page's clock, whose zero is the
 * start of its navigation. What a frame shows counts as painted when the frame is over.
 */
const probe = `window.probe = {
  painted: () => new Promise((resolve) => requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => resolve(performance.now());
    port2.postMessage(0);
  })),
  async until(isThere) {
    for (;;) {
      const now = await probe.painted();
      if (isThere()) return now;
    }
  },
  rows: () => [...document.querySelectorAll(".body [role=row]")],
  isWhole: () => probe.rows().length > 0 && !document.querySelector(".body .placeholder"),
};
addEventListener("click", ({ timeStamp }) => (probe.clicked = timeStamp), true);
probe.first = probe.until(() => document.querySelector(".body") && probe.isWhole());`;

const median = (list) => [...list].sort((a, b) => a - b)[list.length >> 1];
const quantile = (list, share) => [...list].sort((a, b) => a - b)[Math.floor((list.length - 1) * share)];

/** From the start of the navigation until rows are painted; the browser has the files. */
async function firstRows({ browser, page, url }) {
  await page.open("numbers", "", url);
  return browser.run("return probe.first");
}

/** From a leap of the thumb to any place, until its rows are painted. */
const jumps = ({ browser }) => browser.run(`
  const body = document.querySelector(".body"), times = [];
  const first = () => Math.min(...probe.rows().filter((row) => !row.classList.contains("active"))
    .map((row) => row.ariaRowIndex));
  for (let i = 0; i < ${JUMPS}; i++) {
    const before = first(), began = performance.now();
    body.scrollTop = Math.random() * body.scrollHeight;
    times.push(await probe.until(() => first() !== before && probe.isWhole()) - began);
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
  return times;`);

/** From a click on a twist until the rows below are painted, and the requests until then. */
async function twists({ browser }) {
  const times = [], requests = [];
  for (let i = 0; i < CLICKS; i++) {
    const [x, y, was] = await browser.run(`performance.clearResourceTimings();
      const row = probe.rows().find((row) => row.ariaRowIndex === "2");
      const at = row.querySelector(".twist").getBoundingClientRect();
      return [at.x + at.width / 2, at.y + at.height / 2, row.ariaExpanded];`);
    await browser.run(`const was = ${JSON.stringify(was)};
      probe.toggled = probe.until(() => probe.isWhole()
        && probe.rows().find((row) => row.ariaRowIndex === "2")?.ariaExpanded !== was)
        .then((now) => [now - probe.clicked, performance.getEntriesByType("resource").length])`);
    await browser.pointer([x, y], "down", "up");
    const [time, count] = await browser.run("return probe.toggled");
    times.push(time);
    requests.push(count);
    await new Promise((resolve) => setTimeout(resolve, 1200));
  }
  return { times, requests };
}

/** The share of frames under 20 ms while a gesture scrolls for ten seconds. */
async function scrolling({ browser }) {
  await browser.run(`const body = document.querySelector(".body");
    body.scrollTop = body.scrollHeight / 3;
    await probe.until(probe.isWhole);
    probe.frames = [];
    const step = (now) => (probe.frames.push(now), probe.stops || requestAnimationFrame(step));
    probe.stops = false;
    requestAnimationFrame(step);`);
  await browser.cdp("Input.synthesizeScrollGesture", { x: 400, y: 400, yDistance: -60_000,
    speed: 6000, gestureSourceType: "mouse" });
  const frames = await browser.run("probe.stops = true; return probe.frames");
  const gaps = frames.slice(1).map((time, i) => time - frames[i]);
  return gaps.filter((gap) => gap < 20).length / gaps.length;
}

/** The share of a core and the bytes a second that 100 changes a second elsewhere take. */
async function changes({ browser, client, proxy }) {
  const busy = async () => {
    const { metrics } = await browser.cdp("Performance.getMetrics");
    return metrics.find(({ name }) => name === "TaskDuration").value;
  };
  await browser.cdp("Performance.enable");
  await browser.run(`document.querySelector(".body").scrollTop = 0`);
  await new Promise((resolve) => setTimeout(resolve, 2000));
  const [began, worked, bytes] = [Date.now(), await busy(), proxy.received];
  for (let i = 0; i < 1000; i++) {
    const wait = began + i * 10 - Date.now();
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    await client.applyTreeBatch("numbers", { operations: [
      { op: "update", key: "d9-9-9", merge: { stock: i } }] });
  }
  const seconds = (Date.now() - began) / 1000;
  return { core: (await busy() - worked) / seconds, bytes: (proxy.received - bytes) / seconds,
    rate: 1000 / seconds };
}

async function measure(size) {
  const service = await new Service("--storage", "memory").start();
  const client = new TreeClient({ url: service.url });
  const proxy = await new Proxy(service.port).start(), browser = await new Browser().start();
  try {
    await client.createTree({ tree: "numbers" });
    for (const { lines } of sampleLines(size)) await client.importNodes("numbers", lines);
    await browser.cdp("Page.addScriptToEvaluateOnNewDocument", { source: probe });
    const page = explorerPage(browser, () => proxy.url);
    const context = { browser, client, proxy, page, url: proxy.url };
    await firstRows(context);
    const all = { first: [], jumps: [], twists: [], requests: [], frames: [], core: [], bytes: [] };
    for (let run = 0; run < RUNS; run++) {
      all.first.push(await firstRows(context));
      const { times, requests } = await twists(context);
      all.twists.push(...times);
      all.requests.push(...requests);
      await page.click("#expand");
      await until("all is open", async () => (await page.text("#rows"))
        .startsWith(`${size.toLocaleString("en")} rows`));
      all.jumps.push(...await jumps(context));
      all.frames.push(await scrolling(context));
      const { core, bytes, rate } = await changes(context);
      all.core.push(core);
      all.bytes.push(bytes);
      console.log(`  run ${run + 1}: load ${loadavg()[0].toFixed(1)}, ${rate.toFixed(0)} changes/s`);
    }
    const ms = (list) => `${median(list).toFixed(0)} ms (90 %: ${quantile(list, 0.9).toFixed(0)} ms)`;
    const percent = (share) => `${(100 * share).toFixed(1)} %`;
    console.log(`${size.toLocaleString("en")} rows, medians of ${RUNS} runs:
  first rows, warm           ${ms(all.first)}
  jump anywhere, to painted  ${ms(all.jumps)}
  twist, to painted          ${ms(all.twists)}, requests: ${Math.max(...all.requests)} at most
  frames under 20 ms         ${percent(median(all.frames))}
  100 changes/s elsewhere    ${percent(median(all.core))} of a core, ${
  (median(all.bytes) / 1000).toFixed(1)} kB/s`);
  } finally {
    await browser.stop();
    proxy.remove();
    await service.remove();
  }
}

for (const size of SIZES) await measure(size);
