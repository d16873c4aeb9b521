// Changes of the tree: names, new nodes, removals, moves; and of the selection.

import { announce, ask, count, make, showError } from "./messages.js";

const RANGE = 10_000;
const DRY = { dryRun: true, changes: "none", attempts: 1 };

export class Edits {
  #anchor;
  #cut = [];

  /** @param app The explorer, with `session`, `view`, `grid`, `columns` and `write`. */
  constructor(app) {
    this.app = app;
  }

  /** Does an edit by its name, on the active row or the selected ones. */
  async edit(name) {
    const row = this.app.grid.activeRow;
    if (name === "cancel") return this.#cancel();
    if (!this.app.mayWrite) return showError("This key may look at trees, and not change them.");
    if (name === "add") return this.add(row);
    if (!row) return undefined;
    return this[name](row);
  }

  // Names

  /** Lets the user edit a name in its place. */
  async rename(row, { isNew = false } = {}) {
    const { grid, columns } = this.app;
    await grid.goTo(await grid.locate(row.key));
    const element = grid.elementOf(row.key);
    if (!element?.parts) return;
    const input = make("input", { class: "rename", "aria-label": isNew ? "Name of the new node"
      : `New name of ${columns.nameOf(row)}`, spellcheck: "false" });
    input.value = columns.nameOf(row);
    element.classList.add("editing");
    element.parts.label.after(input);
    input.focus({ preventScroll: true });
    input.select();
    let isOver = false;
    const end = async (isKept, refocus) => {
      if (isOver) return;
      isOver = true;
      input.remove();
      element.classList.remove("editing");
      if (refocus) grid.focus();
      const name = input.value.trim();
      if (!isKept || name === "" || name === columns.nameOf(row)) return;
      const operation = columns.rename(grid.view.row(grid.view.indexOf(row.key)) ?? row, name);
      await grid.perform(async () => {
        if (await this.app.write([operation])) announce(`Renamed to ${name}.`);
        grid.setColumns();
      });
    };
    input.addEventListener("keydown", (event) => {
      event.stopPropagation();
      if (event.key === "Enter" || event.key === "Tab") event.preventDefault();
      if (event.key === "Enter" || event.key === "Tab") end(true, true);
      if (event.key === "Escape") end(false, true);
    });
    input.addEventListener("blur", () => end(true, false));
    for (const kind of ["pointerdown", "click", "dblclick"]) {
      input.addEventListener(kind, (event) => event.stopPropagation());
    }
  }

  // New nodes and removals

  /** Adds a node: inside the row if that is open or empty, else behind it. */
  async add(row) {
    const { columns, grid } = this.app;
    const key = `n_${crypto.getRandomValues(new Uint32Array(2)).join("")}`;
    const inside = row && row.childState !== "leaf" && row.expanded;
    const place = !row ? {} : inside ? { parent: row.key, first: true }
      : { parent: row.parent ?? null, after: row.key };
    const section = row?.section !== undefined && (place.parent ?? null) === null
      ? { section: row.section } : {};
    const made = await this.app.write([{ op: "insert", key, object: columns.newObject("New node"),
      ...place, ...section }]);
    if (!made) return;
    announce("A node is added.");
    const fresh = await grid.goToKey(key);
    if (fresh) await this.rename(fresh, { isNew: true });
  }

  /** Deletes the selected rows if the active one is among them, else the active one. */
  async remove(row) {
    const keys = await this.#affected(row), operations = [{ op: "remove", keys }];
    const { columns, session } = this.app;
    const what = keys.length > 1 ? count(keys.length, "selected node") : columns.nameOf(row);
    let text = "This cannot be undone.";
    try {
      const { nodeCount } = await session.batch(operations, DRY);
      const gone = this.app.nodeCount - nodeCount;
      if (gone > keys.length) text = `With all that is below, ${count(gone, "node")}. ${text}`;
    } catch (error) {
      return showError(error, `${what} cannot be deleted.`);
    }
    if (!await ask({ title: `Delete ${what}?`, text, action: "Delete", danger: true })) return;
    if (await this.app.write(operations)) announce(`${what} deleted.`);
  }

  /** Returns the keys of the selected nodes if the row is one, else its own. */
  async #affected(row) {
    if (!row.selected || this.app.selectedCount === 1) return [row.key];
    if (this.app.selectedCount > RANGE) {
      throw new Error(`At most ${count(RANGE, "selected node")} are changed at once.`);
    }
    const { selectedKeys } = await this.app.session.getState();
    return selectedKeys?.length > 0 ? selectedKeys : [row.key];
  }

  // Moves

  /** Returns the error that a move would give; null if it is allowed. */
  async refusalOf(move, signal) {
    try {
      await this.app.session.batch([move], { ...DRY, signal });
      return null;
    } catch (error) {
      return error;
    }
  }

  /** Moves nodes, and follows the active one if the user has not gone elsewhere. */
  async move(keys, place, more = []) {
    const { grid } = this.app;
    if (!await this.app.write([{ op: "move", keys, ...place }, ...more])) return;
    announce(`${count(keys.length, "node")} moved.`);
    if (!keys.includes(grid.active)) return;
    const index = await grid.indexOf(grid.active);
    if (index !== null) await grid.goTo(index);
  }

  keysToMove(row) { return this.#affected(row); }

  async #siblings(row) {
    const { session } = this.app;
    const at = await session.getNode(row.key, { fields: "position,parent" });
    const beside = async (position) => {
      if (position < 0) return undefined;
      const query = { offset: position, limit: 1, fields: "key,childState,expanded" };
      const { nodes } = await session.listRoots({ ...query,
        ...(row.parent != null && { parent: row.parent }) }).catch(() => ({ nodes: [] }));
      return nodes[0];
    };
    return { previous: () => beside(at.position - 1), next: () => beside(at.position + 1) };
  }
  #placeOf(row) { return { parent: row.parent ?? null }; }

  async moveUp(row) {
    const previous = await (await this.#siblings(row)).previous();
    if (previous) await this.move([row.key], { ...this.#placeOf(row), before: previous.key });
    else announce("This is the first one already.");
  }

  async moveDown(row) {
    const next = await (await this.#siblings(row)).next();
    if (next) await this.move([row.key], { ...this.#placeOf(row), after: next.key });
    else announce("This is the last one already.");
  }

  async moveIn(row) {
    const previous = await (await this.#siblings(row)).previous();
    if (!previous) return announce("There is no node before it to move it into.");
    const expand = previous.expanded ? [] : [{ op: "expand", key: previous.key }];
    return this.move([row.key], { parent: previous.key }, expand);
  }

  async moveOut(row) {
    if (row.parent == null) return announce("This is at the top already.");
    const parent = await this.app.session.getNode(row.parent, { fields: "parent" });
    await this.move([row.key], { parent: parent.parent ?? null, after: row.parent });
  }

  async cut(row) {
    this.#cut = await this.#affected(row);
    announce(`${count(this.#cut.length, "node")} cut. Paste into another row with Control V.`);
  }

  /** Moves the nodes that were cut into the active row. */
  async paste(row) {
    if (this.#cut.length === 0) return announce("Nothing is cut.");
    const keys = this.#cut;
    const expand = row.expanded ? [] : [{ op: "expand", key: row.key }];
    if (!await this.app.write([{ op: "move", keys, parent: row.key }, ...expand])) return;
    this.#cut = [];
    announce(`${count(keys.length, "node")} moved.`);
  }

  #cancel() {
    if (this.#cut.length > 0) announce("Nothing is cut any more.");
    this.#cut = [];
  }

  // Selection

  /** Selects a row alone (`only`), or adds it to the selection or removes it (`toggle`). */
  async select(row, how) {
    this.#anchor = row.key;
    const { key } = row, op = row.selected && how === "toggle" ? "deselect" : "select";
    const change = { op, key };
    if (how === "only" && row.selected && this.app.selectedCount === 1) return;
    await this.app.write(how === "only" ? [{ op: "clearSelection" }, change] : [change]);
  }

  /** Selects all rows between the last one selected by itself and another. */
  async selectRange(from, row) {
    const { grid, session } = this.app;
    const [a, b] = [await grid.locate(this.#anchor ?? from ?? row.key), await grid.locate(row.key)];
    const [first, last] = [Math.min(a, b), Math.max(a, b)];
    if (last - first >= RANGE) {
      return showError(`At most ${count(RANGE, "row")} are selected at once.`);
    }
    const keys = [];
    while (keys.length <= last - first) {
      const { rows } = await session.rows({ offset: first + keys.length,
        limit: Math.min(1000, last - first + 1 - keys.length), fields: "key", ancestors: 0 });
      if (rows.length === 0) break;
      keys.push(...rows.map(({ key }) => key));
    }
    await this.app.write([{ op: "clearSelection" }, { op: "select", keys }]);
  }

  /** Selects with Shift and an arrow key. */
  async extendSelection(from, to) {
    this.#anchor ??= from.key;
    await this.selectRange(from.key, to);
  }

  /** Selects every node: all that is below each root. */
  async selectAll() {
    const { session } = this.app, roots = [];
    for (let more = true; more && roots.length < RANGE;) {
      const query = { offset: roots.length, limit: 1000, fields: "key" };
      const { nodes } = await session.listRoots(query);
      roots.push(...nodes.map(({ key }) => key));
      more = nodes.length === 1000;
    }
    if (await this.app.write(roots.map((subtree) => ({ op: "select", subtree })))) {
      announce(`${count(this.app.selectedCount, "node")} selected.`);
    }
  }

  async clearSelection() {
    this.#anchor = undefined;
    if (await this.app.write([{ op: "clearSelection" }])) announce("Nothing is selected.");
  }
}
