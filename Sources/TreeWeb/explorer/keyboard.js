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
  " ": (grid) => grid.activeRow && grid.app.selection.select(grid.activeRow, "toggle"),
  "*": (grid) => expandSiblings(grid),
  F2: (grid) => grid.app.edits.edit("rename"),
  Insert: (grid) => grid.app.edits.edit("add"),
  Delete: (grid) => grid.app.edits.edit("remove"),
  Escape: (grid) => grid.app.edits.edit("cancel"),
};
const SHIFT = {
  ArrowDown: (grid) => extend(grid, 1),
  ArrowUp: (grid) => extend(grid, -1),
  PageDown: (grid) => extend(grid, grid.pageRows),
  PageUp: (grid) => extend(grid, -grid.pageRows),
  " ": (grid) => grid.activeRow && grid.app.selection.selectRange(undefined, grid.activeRow),
  "*": PLAIN["*"],
};
const CONTROL = {
  a: (grid) => grid.app.selection.selectAll(),
  A: (grid) => grid.app.selection.clearSelection(),
  x: (grid) => grid.app.edits.edit("cut"),
  v: (grid) => grid.app.edits.edit("paste"),
  Home: PLAIN.Home,
  End: PLAIN.End,
};
const ALT = {
  ArrowUp: (grid) => grid.app.edits.edit("moveUp"),
  ArrowDown: (grid) => grid.app.edits.edit("moveDown"),
  ArrowRight: (grid) => grid.app.edits.edit("moveIn"),
  ArrowLeft: (grid) => grid.app.edits.edit("moveOut"),
};

/** Keys that lead to another row, and need not wait for a row that an earlier one leads to. */
const LEADS = new Set(["ArrowDown", "ArrowUp", "PageDown", "PageUp", "Home", "End"]);

/** Performs the action of a key, after those of the keys before it. */
export function keyPressed(grid, event) {
  if (event.target.closest("input, button")) return;
  const { key, shiftKey, ctrlKey, metaKey, altKey, repeat } = event, { finder } = grid.app;
  const table = ctrlKey || metaKey ? CONTROL : altKey ? ALT : shiftKey ? SHIFT : PLAIN;
  const isText = key.length === 1 && !ctrlKey && !metaKey && !altKey;
  let action = key === " " && finder.isTyping ? undefined : table[key];
  if (!action && !isText) return;
  event.preventDefault();
  finder.keyPressed();
  const leads = table !== ALT && table !== SHIFT && LEADS.has(key);
  // A key that is held down asks for the next step when one is done, and not for a queue of them.
  if (repeat && action && !leads && grid.isBusy) return;
  if (action) finder.endTyping();
  else action = finder.typed(key);
  grid.perform(() => handOver(key, isText) || action(grid), { leads });
}

/** Gives a key to the name that is being edited, if it was pressed before the name was shown. */
function handOver(key, isText) {
  const input = document.activeElement;
  if (input?.className !== "rename") return false;
  if (isText) input.setRangeText(key, input.selectionStart, input.selectionEnd, "end");
  else input.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
  return true;
}

/** Expands a row, or goes to its first child. */
function inward(grid) {
  const row = grid.activeRow;
  if (!row || row.childState === "leaf") return undefined;
  if (!row.expanded) return grid.toggle(row);
  return row.childCount > 0 ? grid.move(1) : undefined;
}

/** Collapses a row, or goes to its parent. */
async function outward(grid) {
  const row = grid.activeRow;
  if (!row) return;
  if (row.expanded && row.childState !== "leaf") await grid.toggle(row);
  else if (row.parent != null) await grid.goTo(await grid.locate(row.parent));
}

/** Expands the row and its siblings, of which at most a thousand. */
async function expandSiblings(grid) {
  const row = grid.activeRow, limit = 1000;
  if (!row) return;
  const { parent, section } = row;
  const among = parent != null ? { parent } : section !== undefined && { section };
  const { nodes, childCount } = await grid.session.listRoots({ ...among, limit,
    fields: "key,childState,expanded" });
  const closed = nodes.filter(({ childState, expanded }) => childState !== "leaf" && !expanded);
  if (closed.length > 0) await grid.app.write(closed.map(({ key }) => ({ op: "expand", key })));
  if (childCount > limit) announce(`The first ${limit} siblings are expanded.`);
}

/** Moves on, and selects what is between. */
async function extend(grid, by) {
  const from = grid.activeRow, to = await grid.move(by);
  if (from && to) await grid.app.selection.extendSelection(from, to);
}
