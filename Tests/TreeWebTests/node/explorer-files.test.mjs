import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import test from "node:test";
import { Columns, patchAt, valueAt } from "../../../Sources/TreeWeb/explorer/columns.js";
import { csvNodes, jsonNodes, kindOf, piecesOf, records } from
  "../../../Sources/TreeWeb/explorer/convert.js";
import { sampleLines } from "../../../Sources/TreeWeb/explorer/sample.js";

const explorer = new URL("../../../Sources/TreeWeb/explorer/", import.meta.url);
const file = (text, name) => new File([text], name);
const pieces = async (source) => {
  const all = [];
  for await (const piece of piecesOf(source)) {
    all.push({ ...piece, lines: await new Blob([piece.lines]).text() });
  }
  return all;
};

test("lines of the explorer have 100 characters at most, and load nothing from elsewhere", () => {
  const scripts = readdirSync(explorer).filter((name) => /\.(js|html)$/.test(name));
  assert.ok(scripts.length > 10);
  for (const name of scripts) {
    const text = readFileSync(new URL(name, explorer), "utf8");
    if (name.endsWith(".js")) for (const line of text.split("\n")) assert.ok(line.length <= 100, line);
    assert.doesNotMatch(text.replaceAll("http://www.w3.org/2000/svg", ""), /https?:\/\//, name);
    assert.doesNotMatch(text, /\sstyle="|\son\w+="|innerHTML|localStorage|document\.cookie/, name);
  }
});

test("modules of the explorer can be one script: each name at their top is there once", () => {
  const files = readdirSync(explorer).filter((name) => name.endsWith(".js"))
    .map((name) => new URL(name, explorer));
  const client = ["tree-client.js", "virtual-list.js"].map((name) => new URL(`../client/${name}`, explorer));
  const named = new Map(), shape = /^(?:export )?(?:async )?(?:class|function\*?|const|let) (\w+)/gm;
  for (const file of [...files, ...client]) {
    const text = readFileSync(file, "utf8");
    for (const [, name] of text.matchAll(shape)) {
      assert.equal(named.get(name), undefined, `${name} in ${file}`);
      named.set(name, String(file));
    }
    // Lines of imports are left out, so they are whole and give no other names. "export" is, too.
    for (const line of text.split("\n")) {
      if (/^import\b/.test(line)) assert.match(line, /^import \{( \w+,?)+ \} from "[\w./-]+";$/);
      if (/^export\b/.test(line)) assert.match(line, /^export (async |function|class|const)/);
    }
  }
  assert.ok(named.size > 50);
});

test("a sample has as many nodes as asked for, with parents first and keys once", () => {
  for (const size of [1, 19, 20, 60, 1000, 45_678]) {
    const keys = new Set();
    let told = 0;
    for (const { lines, nodes } of sampleLines(size)) {
      told += nodes;
      for (const line of lines.split("\n")) {
        const { key, parent } = JSON.parse(line);
        assert.ok(!keys.has(key) && (parent === undefined || keys.has(parent)), `${size}: ${line}`);
        keys.add(key);
      }
    }
    assert.equal(keys.size, size);
    assert.equal(told, size);
  }
});

test("CSV is read as RFC 4180 has it", () => {
  const text = 'a,"b ""q""",c\r\n"two\nlines",,\n\nx,y,z';
  assert.deepEqual([...records(text)], [{ fields: ["a", 'b "q"', "c"], line: 1 },
    { fields: ["two\nlines", "", ""], line: 2 }, { fields: ["x", "y", "z"], line: 5 }]);
  assert.deepEqual([...records("a,\n")], [{ fields: ["a", ""], line: 1 }]);
  assert.deepEqual([...records("a,")], [{ fields: ["a", ""], line: 1 }]);
  for (const between of [";", "\t"]) {
    assert.deepEqual([...records(`key${between}name\na${between}"1,5"\n`)],
      [{ fields: ["key", "name"], line: 1 }, { fields: ["a", "1,5"], line: 2 }]);
  }
});

test("CSV becomes nodes with typed members, parents first", () => {
  const nodes = csvNodes("key,parent,name,size,ok\nb,a,Bee,1.5,true\na,,Ay,007,\n");
  assert.deepEqual(nodes.map((node) => JSON.parse(JSON.stringify(node))), [
    { key: "a", object: { name: "Ay", size: "007" } },
    { key: "b", parent: "a", object: { name: "Bee", size: 1.5, ok: true } }]);
});

test("what is wrong with CSV or JSON names its line", () => {
  for (const [text, message] of [
    ["key,name\na,x\nb\n", /Line 3: the number of fields is 1, not 2/],
    ["key,name\na,x\na,y\n", /Line 3: line 2 has the key a/],
    ["key,parent\na,z\n", /Line 2: the parent z/],
    ["key,parent\na,b\nb,a\n", /Line 2: a is below itself/],
    ['key,name\na,"x\n', /Line 2: a quoted field does not end/],
    ['key,name\na,"x"y\n', /Line 2: a field has a stray quote/],
    ["key,key\n", /Line 1: two columns/], ["", /empty/]]) {
    assert.throws(() => csvNodes(text), message, text);
  }
  assert.throws(() => jsonNodes('{"a":\n\n!}'), /no JSON/);
  assert.throws(() => jsonNodes("17"), /single value/);
  assert.throws(() => jsonNodes("\u0000\ufffd"), /^[\x20-\x7e…]*$/);
});

test("JSON becomes nodes: nested ones as they are, and any other value by its pointers", () => {
  assert.deepEqual(JSON.parse(JSON.stringify(jsonNodes(
    '[{"key":"a","object":1,"children":[{"key":"b","children":"unloaded","childCount":3}]},{"key":"c"}]'))),
  [{ key: "a", object: 1 }, { key: "c" },
    { key: "b", parent: "a", children: "unloaded", childCount: 3 }]);
  assert.deepEqual(JSON.parse(JSON.stringify(jsonNodes('{"x":{"title":"T","n":[7]},"a/b":null}'))), [
    { key: "/x", object: { name: "x", title: "T" } },
    { key: "/a~1b", object: { name: "a/b", value: null } },
    { key: "/x/title", parent: "/x", object: { name: "title", value: "T" } },
    { key: "/x/n", parent: "/x", object: { name: "n" } },
    { key: "/x/n/0", parent: "/x/n", object: { name: "0", value: 7 } }]);
});

test("NDJSON is cut at ends of lines, which keep their numbers and their bytes", async () => {
  const line = (i) => JSON.stringify({ key: `k${i}`, object: { text: "ä".repeat(500) } });
  const text = Array.from({ length: 6000 }, (_, i) => line(i)).join("\n");
  const all = await pieces(file(text, "big.ndjson"));
  assert.ok(all.length > 2);
  let at = 1;
  for (const { lines, first } of all) {
    assert.equal(first, at);
    assert.equal(JSON.parse(lines.split("\n")[0]).key, `k${at - 1}`);
    at += lines.split("\n").length - 1;
  }
  assert.equal(all.map(({ lines }) => lines).join(""), text);
  assert.equal(all.at(-1).done, 1);
  const marked = await pieces(file("\uFEFF{\"key\":\"a\"}\n", "marked.ndjson"));
  assert.equal(marked[0].lines, '{"key":"a"}\n');
});

test("a text in another encoding is refused, and not imported with other characters", async () => {
  const latin = Buffer.from("key,name\na,\xe4pfel\n", "latin1");
  const wide = Buffer.from('\ufeff[{"key":"a"}]', "utf16le");
  for (const source of [file(latin, "a.csv"), file(wide, "a.json"), file(wide, "a.csv")]) {
    await assert.rejects(pieces(source), /not in UTF-8/);
  }
  const [{ lines }] = await pieces(file("\ufeffkey,name\na,äpfel €\n", "a.csv"));
  assert.equal(lines, '{"key":"a","object":{"name":"äpfel €"}}');
});

test("the kind of a file is known by its name, else by its content", () => {
  assert.equal(kindOf(file("", "a.jsonl"), ""), "ndjson");
  assert.equal(kindOf(file("", "a.CSV"), ""), "csv");
  assert.equal(kindOf(file("", "a.tsv"), "key\tname\n"), "csv");
  assert.equal(kindOf(file("", "a"), '{"key":1}\n{"key":2}\n'), "ndjson");
  assert.equal(kindOf(file("", "a.json"), '{"key":1}\n{"key":2}\n'), "ndjson");
  assert.equal(kindOf(file("", "a.txt"), '{\n  "a": {\n'), "json");
  assert.throws(() => kindOf(file("", "a.png"), "\x89PNG"), /something else/);
});

test("columns are guessed: the name, then the frequent members", () => {
  const columns = new Columns([{ key: "a", object: { id: 7, title: "A" } },
    { key: "b", object: { id: 8, title: "B", "a/b": true, deep: {} } }]);
  assert.equal(columns.name, "/title");
  assert.deepEqual(columns.chosen, ["/id", "/a~1b"]);
  assert.ok(columns.numeric.has("/id") && !columns.numeric.has("/a~1b"));
  assert.equal(columns.nameOf({ key: "c", object: null }), "c");
  assert.equal(columns.titleOf("/unitPrice"), "Unit Price");
  const prices = new Columns([{ key: "a", object: { price: 1.25 } }, { key: "b", object: { price: 3 } }]);
  assert.equal(prices.textOf({ object: { price: 1234.5 } }, "/price"), "1,234.50");
  assert.deepEqual(columns.rename({ key: "a", object: {} }, "X"),
    { op: "update", key: "a", merge: { title: "X" } });
  assert.equal(new Columns([{ key: "a", object: "x" }]).name, "");
  const directions = ["/id", "/id", "/id", "/id", "/title"].map((by) => {
    columns.sort = columns.nextSort(by);
    return columns.directionOf(by);
  });
  assert.deepEqual(directions, ["ascending", "descending", "none", "ascending", "ascending"]);
  assert.equal(columns.directionOf("/id"), "none");
  assert.equal(new Columns([{ key: "a", object: null }]).name, "#key");
});

test("more columns are learnt from rows below, and the first ones keep their place", () => {
  const columns = new Columns([{ key: "a", object: { name: "A", size: 1 } }]);
  assert.deepEqual(columns.shown(5), ["/size"]);
  columns.learn([{ key: "b", object: { title: "B", price: 1.5, size: 2, stock: 3 } },
    { key: "c", object: { title: "C", stock: "none" } }]);
  assert.equal(columns.name, "/name");
  assert.deepEqual(columns.members, ["/size", "/title", "/stock", "/price"]);
  assert.deepEqual(columns.shown(5), ["/title", "/stock", "/price", "/size"]);
  // Where room is short, the first ones have it.
  assert.deepEqual(columns.shown(2), ["/title", "/size"]);
  assert.ok(columns.numeric.has("/price") && !columns.numeric.has("/stock"));
  const keys = new Columns([{ key: "a", object: null }]);
  keys.learn([{ key: "b", object: { name: "B" } }]);
  assert.equal(keys.name, "/name");
});

test("values are read and patched by JSON pointers", () => {
  assert.equal(valueAt({ "a/b": { "~": [5] } }, "/a~1b/~0/0"), 5);
  assert.equal(valueAt("x", ""), "x");
  assert.equal(valueAt({}, "/toString"), undefined);
  assert.deepEqual(patchAt("/a/b", 1), { a: { b: 1 } });
});
