// The keyboard table of the treegrid (WAI-ARIA Authoring Practices), rows having the focus.

import { announce } from "./messages.js";

/** Actions by key. */
const PLAIN = {
  ArrowDown: (grid) => grid.move(1),
  ArrowUp: (grid) => grid.move(-1),
  PageDown: (grid) => grid.move(grid.pageRows),
  PageUp: (grid) => grid.move(-grid.pageRows),
  Home: (grid) => grid.goTo(0),
  End: (grid) => grid.goTo(grid.view.rowCount - 1),
  ArrowRight: (grid) => inward(grid),
  ArrowLeft: (grid) => outward(grid),
  Enter: (grid) => grid.activeRow && grid.open(grid.activeRow),
  " ": (grid) => grid.activeRow && grid.app.select(grid.activeRow, "toggle"),
  "*": (grid) => expandSiblings(grid),
  F2: (grid) => grid.app.edit("rename"),
  Insert: (grid) => grid.app.edit("add"),
  Delete: (grid) => grid.app.edit("remove"),
  Escape: (grid) => grid.app.edit("cancel"),
};
const SHIFT = {
  ArrowDown: (grid) => extend(grid, 1),
  ArrowUp: (grid) => extend(grid, -1),
  PageDown: (grid) => extend(grid, grid.pageRows),
  PageUp: (grid) => extend(grid, -grid.pageRows),
  " ": (grid) => grid.activeRow && grid.app.selectRange(undefined, grid.activeRow),
  "*": PLAIN["*"],
};
const CONTROL = {
  a: (grid) => grid.app.selectAll(),
  A: (grid) => grid.app.clearSelection(),
  x: (grid) => grid.app.edit("cut"),
  v: (grid) => grid.app.edit("paste"),
  Home: PLAIN.Home,
  End: PLAIN.End,
};
const ALT = {
  ArrowUp: (grid) => grid.app.edit("moveUp"),
  ArrowDown: (grid) => grid.app.edit("moveDown"),
  ArrowRight: (grid) => grid.app.edit("moveIn"),
  ArrowLeft: (grid) => grid.app.edit("moveOut"),
};

/** Performs the action of a key, after an expansion or collapse that is under way. */
export async function keyPressed(grid, event) {
  if (event.target.closest("input, button")) return;
  const { key, shiftKey, ctrlKey, metaKey, altKey } = event;
  const table = ctrlKey || metaKey ? CONTROL : altKey ? ALT : shiftKey ? SHIFT : PLAIN;
  const isText = key.length === 1 && !ctrlKey && !metaKey && !altKey;
  const action = key === " " && grid.app.isTyping ? undefined : table[key];
  if (!action && !isText) return;
  event.preventDefault();
  if (!action) return void grid.app.typed(key);
  await grid.underway;
  action(grid);
}

/** Expands a row, or goes to its first child. */
function inward(grid) {
  const row = grid.activeRow;
  if (!row || row.childState === "leaf") return;
  if (!row.expanded) grid.toggle(row);
  else if (row.childCount > 0) grid.move(1);
}

/** Collapses a row, or goes to its parent. */
async function outward(grid) {
  const row = grid.activeRow;
  if (!row) return;
  if (row.expanded && row.childState !== "leaf") grid.toggle(row);
  else if (row.parent != null) {
    const index = grid.view.indexOf(row.parent);
    grid.goTo(index >= 0 ? index : await grid.locate(row.parent));
  }
}

/** Expands the row and its siblings, of which at most a thousand. */
async function expandSiblings(grid) {
  const row = grid.activeRow, limit = 1000;
  if (!row) return;
  const { nodes, childCount } = await grid.session.listRoots({
    ...(row.parent != null && { parent: row.parent }), limit, fields: "key,childState,expanded" });
  const closed = nodes.filter(({ childState, expanded }) => childState !== "leaf" && !expanded);
  if (closed.length > 0) await grid.app.write(closed.map(({ key }) => ({ op: "expand", key })));
  if (childCount > limit) announce(`The first ${limit} siblings are expanded.`);
}

/** Moves on, and selects what is between. */
async function extend(grid, by) {
  const from = grid.activeRow, to = await grid.move(by);
  if (from && to) grid.app.extendSelection(from, to);
}
