// Uses the service at an address through the client that openapi-generator makes (typescript-fetch).
import * as api from "./generated/index";

declare const process: { argv: string[]; exitCode?: number };

const configuration = new api.Configuration({ basePath: process.argv[2] });
const batches = new api.BatchesApi(configuration);
const rows = new api.RowsApi(configuration);
const sessions = new api.SessionsApi(configuration);
const trees = new api.TreesApi(configuration);

// Every operation once; in the end the rows are those of the test below.
const operations: api.Operation[] = [
  { op: "insert", key: "plum", parent: "fruit", object: { title: "Plum" }, first: true },
  { op: "insert", key: "nuts", object: { title: "Nuts" }, children: "unloaded", parent: null },
  { op: "update", key: "apple", merge: { ripe: true } },
  { op: "move", keys: ["pear", "plum"], parent: null, before: "stone" },
  { op: "setChildren", key: "fruit", children: [{ key: "apple", object: { title: "Apple" } }, { key: "quince" }] },
  { op: "setChildren", key: "lazy", children: "loading" },
  { op: "setChildren", key: "folder", children: null },
  { op: "sort", key: null, by: [{ by: "/title", direction: "ascending" }] },
  { op: "insertSection", section: "B" },
  { op: "renameSection", section: "B", to: "C" },
  { op: "moveSection", section: "C", index: 0 },
  { op: "collapseSection", section: "" },
  { op: "expandSection", section: "" },
  { op: "removeSection", section: "C" },
  { op: "expand", key: "fruit", levels: "all" },
  { op: "collapse", key: "fruit", levels: 1 },
  { op: "toggle", key: "fruit" },
  { op: "collapseAll" },
  { op: "expandAll" },
  { op: "reveal", keys: ["quince"], select: true },
  { op: "select", subtree: "fruit" },
  { op: "deselect", key: "apple" },
  { op: "clearSelection" },
  { op: "remove", key: "stone" },
];

/** Throws if the values are not the same JSON. */
function expectEqual(actual: unknown, expected: unknown): void {
  const [got, wanted] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (got !== wanted) throw new Error(`${got} is not ${wanted}`);
}

/** Describes a change by the members of its type. */
function describe(change: api.Change): string {
  switch (change.type) {
    case "delete": return `delete ${change.key} ${change.index}`;
    case "insert": return `insert ${change.key} ${change.newIndex} ${change.parent}`;
    case "move": return `move ${change.key} ${change.index} ${change.newIndex} ${change.depth}`;
    case "update": return `update ${change.key} ${change.fields.join()}`;
    case "deleteSection": return `deleteSection ${change.section}`;
    case "insertSection": return `insertSection ${change.section}`;
    case "moveSection": return `moveSection ${change.section} ${change.newIndex}`;
    case "updateSection": return `updateSection ${change.section} ${change.fields.join()}`;
  }
}

async function useSession(): Promise<void> {
  const nodes: api.NewRoot[] = [
    { key: "fruit", object: { title: "Fruit" }, children: [{ key: "apple" }, { key: "pear" }] },
    { key: "folder", object: { title: "Folder" }, children: [] },
    { key: "lazy", object: { title: "Lazy" }, children: "unloaded", childCount: 3 },
    { key: "stone", object: null },
  ];
  const { session, rowCount, expansion, filter } = await sessions.createSession({
    newSession: { expansion: "all", filter: null, nodes },
  });
  expectEqual([rowCount, expansion, filter], [6, "all", null]);

  const list = await batches.applyBatch({ session, batch: { operations } });
  const told = (list.changes ?? []).map(describe);
  expectEqual(told[0], "delete stone 5");
  expectEqual(told.includes("insert quince 4 fruit"), true);
  expectEqual(told.includes("insert nuts 6 null"), true);
  expectEqual(told.includes("move pear 2 0 0"), true);
  expectEqual(told.includes("update lazy childState"), true);
  expectEqual(list.unloaded.includes("nuts"), true);

  const page = await rows.listRows({ session, limit: 10, fields: ["key", "parent", "object", "childState"] });
  const keys = page.rows.map((row) => row.key);
  expectEqual(keys, ["pear", "folder", "fruit", "apple", "quince", "lazy", "nuts", "plum"]);
  const { parent, object, childState } = page.rows[3];
  expectEqual([parent, object, childState], ["fruit", { title: "Apple" }, "leaf"]);
  expectEqual(page.rows[0].parent, null);

  const { revision } = await batches.putNode({ session, key: "kiwi", nodeContent: { parent: "fruit" } });
  const move = { parent: null, first: true };
  expectEqual((await batches.moveNode({ session, key: "kiwi", destination: move })).rowCount, 9);
  await batches.putChildren({ session, key: "lazy", body: [{ key: "fig" }] });
  await batches.putChildren({ session, key: "lazy", body: "failed" });
  const since = await batches.followChanges({ session, since: revision });
  expectEqual(since.changes?.some((change) => change.type === "move" && change.key === "kiwi"), true);

  const test: api.Filter = { not: { by: "/title", equals: "Fruit" } };
  const filtered = await sessions.patchSession({ session, sessionPatch: { filter: test } });
  expectEqual(filtered.filter, { not: { by: "/title", equals: "Fruit", caseSensitive: false } });
  const cleared = await sessions.patchSession({ session, sessionPatch: { filter: null } });
  expectEqual(cleared.filter, null);
  await sessions.deleteSession({ session });
}

async function useTree(): Promise<void> {
  const { tree } = await trees.createTree({ newTree: { sections: ["A"] } });
  const body = new Blob(['{"key":"a"}\n{"key":"b","parent":"a","children":"unloaded"}\n']);
  expectEqual((await trees.importNodes({ tree, body })).applied, 2);
  await trees.deleteTree({ tree });
}

async function main(): Promise<void> {
  await useSession();
  await useTree();
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
