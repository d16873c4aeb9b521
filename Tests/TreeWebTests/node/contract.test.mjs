import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import test from "node:test";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { TreeClient, TreeSession, operations } from "../../../Sources/TreeWeb/client/tree-client.js";

const root = new URL("../../../", import.meta.url);
const read = (path) => readFileSync(new URL(path, root), "utf8");
const client = "Sources/TreeWeb/client/";
const typings = read(client + "tree-client.d.ts");

/** The operations of openapi.yaml, from its lines. */
function described() {
  const found = new Map();
  let path, method;
  for (const line of read("openapi.yaml").split("\n")) {
    path = /^  (\/\S*):$/.exec(line)?.[1] ?? path;
    method = /^    (get|put|post|patch|delete):$/.exec(line)?.[1] ?? method;
    const name = /^      operationId: (\w+)$/.exec(line)?.[1];
    if (name) found.set(name, { method: method.toUpperCase(), path });
  }
  return found;
}

test("each operation of openapi.yaml is a method, and each method is one of them", () => {
  const all = described();
  assert.ok(all.size > 40);
  assert.deepEqual([...operations].map(([name, { method, path }]) => [name, { method, path }]),
    [...all]);
  for (const [name, { path }] of all) {
    const { prototype } = path.includes("{session}") ? TreeSession : TreeClient;
    assert.equal(typeof prototype[name], "function", name);
  }
});

test("each method is declared, and each declared one is there", () => {
  for (const [type, name] of [[TreeClient, "TreeClient"], [TreeSession, "TreeSession"]]) {
    const body = new RegExp(`export class ${name} {(.*?)\n}`, "s").exec(typings)[1];
    const declared = [...body.matchAll(/^ {2}(\w+)(?:<[^>]*>)?\(/gm)].map((match) => match[1])
      .filter((method) => method !== "constructor");
    const there = Object.getOwnPropertyNames(type.prototype)
      .filter((method) => !["constructor", "call", "send"].includes(method));
    assert.deepEqual([...declared].sort(), there.sort(), name);
  }
});

test("a write is what openapi.yaml gives an Idempotency-Key", () => {
  const blocks = read("openapi.yaml").split(/^      operationId: /m).slice(1);
  for (const block of blocks) {
    const name = /^\w+/.exec(block)[0];
    const keyed = block.split(/^      responses:/m)[0].includes("parameters/idempotencyKey");
    assert.equal(operations.get(name).writes, keyed, name);
  }
});

test("the module is 8 KiB at most when compressed, and imports nothing", () => {
  const bytes = readFileSync(new URL(client + "tree-client.js", root));
  const size = gzipSync(bytes, { level: 9 }).length;
  assert.ok(size <= 8192, `${size} bytes`);
  assert.doesNotMatch(bytes.toString(), /^\s*import\b|\brequire\(|\bimport\(/m);
});

test("adapters are under 120 lines, and lines under 101 characters", () => {
  for (const name of ["ag-grid.js", "react.js", "virtual-list.js"]) {
    assert.ok(read(client + name).split("\n").length <= 120, name);
  }
  for (const name of readdirSync(new URL(client, root)).filter((name) => name.endsWith(".js"))) {
    for (const line of read(client + name).split("\n")) assert.ok(line.length <= 100, line);
  }
});

test("each module is exported with its declarations, which declare what it exports", async () => {
  const { exports } = JSON.parse(read(client + "package.json"));
  const names = readdirSync(new URL(client, root)).filter((name) => name.endsWith(".js"));
  assert.deepEqual(Object.values(exports).map((entry) => entry.default).sort(),
    names.map((name) => `./${name}`).sort());
  for (const { types, default: module } of Object.values(exports)) {
    assert.equal(types, module.replace(/\.js$/, ".d.ts"));
    const declared = [...read(client + types).matchAll(/^export (?:class|function|const) (\w+)/gm)]
      .map((match) => match[1]);
    const there = Object.keys(await import(new URL(client + module, root)));
    assert.deepEqual(declared.sort(), there.sort(), module);
  }
});

test("a live virtualised tree of one's own takes 40 lines at most", () => {
  const script = /<script type="module">\n(.*?)<\/script>/s.exec(read(client + "example.html"))[1];
  const lines = script.trim().split("\n");
  assert.ok(lines.length <= 40, `${lines.length} lines`);
});

const tsc = (() => {
  try {
    return execFileSync("tsc", ["--version"], { encoding: "utf8" });
  } catch {
    return undefined;
  }
})();

test("the declarations and a typed example compile strictly",
  { skip: tsc ? false : "tsc is not installed" }, () => {
    const example = fileURLToPath(new URL("typed/example.ts", import.meta.url));
    try {
      execFileSync("tsc", ["--noEmit", "--strict", "--target", "es2022", "--module", "es2022",
        "--moduleResolution", "node", "--lib", "es2022,dom", "--typeRoots", "/nonexistent", example],
      { encoding: "utf8" });
    } catch (error) {
      assert.fail(error.stdout);
    }
  });
