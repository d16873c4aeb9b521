import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import test from "node:test";
import { promisify } from "node:util";
import { seeded } from "./support/seeded.mjs";
import { Service, skip } from "./support/service.mjs";

const root = new URL("../../../", import.meta.url);
const read = (path) => readFileSync(new URL(path, root), "utf8");
const programs = (text) => [...text.matchAll(/```js\n(.*?)```/gs)].map(([, program]) => program);
const page = read("Sources/TreeAPI/Documentation.docc/ApplyingAChangeList.md");

test("the program of the client's page shows what happens to a tree", { skip }, async () => {
  const service = await new Service("--storage", "memory").start();
  try {
    const [program] = programs(read("Sources/TreeWeb/Documentation.docc/JavaScriptClient.md"));
    assert.ok(program.split("\n").length <= 26);
    const client = new URL("Sources/TreeWeb/client/tree-client.js", root).href;
    const { stdout } = await promisify(execFile)("node", ["--input-type=module", "-e", program
      .replace("http://127.0.0.1:8080/client/tree-client.js", client)
      .replace("http://127.0.0.1:8080", service.url)]);
    assert.match(stdout, /fruit\n {2}fig\n {2}apple\n {2}pear\nstone\n/);
    assert.match(stdout, /fruit\nstone\n$/);
  } finally {
    await service.remove();
  }
});

test("the tour begins at the explorer, with one screenshot of at most 150 kB", () => {
  const [, tour] = /\n## Tour\n+([^]*?)\n## /.exec(read("README.md"));
  assert.match(tour, /^Open `http:\/\/127\.0\.0\.1:8080` in a browser and press \*Make a sample tree\*/);
  const images = [...tour.matchAll(/!\[[^\]]+\]\(([^)]+)\)/g)].map(([, path]) => path);
  assert.equal(images.length, 1);
  assert.ok(statSync(new URL(images[0], root)).size <= 150_000);
  assert.ok(read("Sources/TreeWeb/explorer/index.html").includes(">Make a sample tree</button>"));
});

test("the README shows the programs of the clients' pages", () => {
  const first = (path, language) =>
    read(path).split("```" + language + "\n")[1].split("```")[0];
  for (const [page, language] of [
    ["Sources/TreeWeb/Documentation.docc/JavaScriptClient.md", "js"],
    ["Sources/TreeClient/Documentation.docc/TreeClient.md", "swift"],
  ]) assert.equal(first("README.md", language), first(page, language));
});

const json = (method, body) =>
  ({ method, headers: { "content-type": "application/json" }, body: JSON.stringify(body) });

/** Returns a random operation on a forest of a few nodes in three sections. */
function operation(random, keys) {
  const section = random.pick(["A", "B", "C"]);
  const key = random.pick(keys);
  const parent = random.chance(0.6) ? random.pick(keys) : null;
  const place = { parent, section: parent === null ? section : undefined };
  switch (random.below(7)) {
    case 0: return { op: "toggle", key };
    case 1: return { op: "update", key, object: random.below(9) };
    case 2: return { op: "moveSection", section, index: random.below(3) };
    case 3: return { op: random.pick(["collapseSection", "expandSection"]), section };
    case 4: return { op: "move", key, ...place, first: random.chance(0.5) || undefined };
    case 5: return { op: "remove", key };
    default: return { op: "insert", key, ...place, object: 0 };
  }
}

/** Returns rows, or lists of rows, with the members that change lists keep up to date. */
const shown = (state) => state.map((row) => Array.isArray(row) ? shown(row)
  : { key: row.key, depth: row.depth, parent: row.parent, object: row.object });

/** Sends random batches with a query, and compares what a program makes of a state with `read`. */
async function follow(random, query, read, apply) {
  const service = await new Service("--storage", "memory").start();
  try {
    const keys = Array.from({ length: 12 }, (_, index) => `k${index}`);
    const nodes = keys.map((key, index) => ({ key, section: "ABC"[index % 3] }));
    const made = await fetch(`${service.url}/v1/sessions`,
      json("POST", { sections: ["A", "B", "C"], nodes }));
    const url = `${service.url}/v1/sessions/${(await made.json()).session}`;
    const get = async (path) => (await fetch(url + path)).json();
    const state = await read(get);
    let changes = 0;
    for (let round = 0; round < 400; round++) {
      const operations = [operation(random, keys), operation(random, keys)];
      const answer = await fetch(`${url}/batch?include=rows&limit=1000${query}`,
        json("POST", { operations }));
      const list = await answer.json();
      if (answer.ok) {
        apply(state, list);
        changes += list.changes.length;
      }
      assert.deepEqual(shown(state), shown(await read(get)), JSON.stringify({ operations, list }));
    }
    assert.ok(changes > 100);
  } finally {
    await service.remove();
  }
}

const rowsOf = async (get) => (await get("/rows?limit=1000")).rows;

test("the program for rows keeps them up to date", { skip }, async (t) => {
  const apply = new Function(`${programs(page)[0]}; return apply;`)();
  await follow(seeded(t), "", rowsOf, apply);
});

test("the program for sections keeps them up to date", { skip }, async (t) => {
  const apply = new Function(`${programs(page)[1]}; return applyToSections;`)();
  const read = async (get) => {
    const rows = await rowsOf(get);
    const sections = await get("/sections");
    return sections.map(({ section }) => rows.filter((row) => row.section === section));
  };
  await follow(seeded(t), "&sections=true", read, apply);
});
