// Changes of the tree: new nodes, removals and moves.

import { announce, ask, count, grouped, showError, showNote } from "./messages.js";
import { Naming } from "./naming.js";

export const RANGE = 10_000;
const isOrAre = (number) => `${grouped(number)} of them ${number === 1 ? "is" : "are"}`;
const BESIDE = "key,index,parent,depth,section,expanded,visibleDescendantCount";
const DRY = { dryRun: true, changes: "none", attempts: 1 };

export class Edits {
  #cut = [];

  /**
   * @param app The explorer, with `session`, `view`, `grid`, `columns` and `write`.
   * @param before The edits of a session that has ended, and is continued.
   */
  constructor(app, before) {
    this.app = app;
    this.naming = new Naming(app);
    if (before) this.#cut = before.#cut;
  }

  /** Does an edit by its name, on the active row or the selected ones. */
  async edit(name) {
    if (name === "cancel") return this.#cancel();
    await this.app.finder.settled();
    const row = this.app.grid.activeRow;
    if (!this.app.mayWrite) return showError("This key may look at trees, and not change them.");
    if (name === "add") return this.add(row);
    if (!row) return undefined;
    return this[name](row);
  }

  rename(row, options) { return this.naming.rename(row, options); }

  // New nodes and removals

  /** Adds a node: inside the row if that is open, else behind it; without a row, to a section. */
  async add(row, named = row?.section) {
    const { columns, finder, grid } = this.app;
    const key = `n_${crypto.getRandomValues(new Uint32Array(2)).join("")}`;
    const inside = row && row.childState !== "leaf" && row.expanded;
    const place = !row ? {} : inside ? { parent: row.key, first: true }
      : { parent: row.parent ?? null, after: row.key };
    const section = named !== undefined && (place.parent ?? null) === null
      ? { section: named } : {};
    if (finder.isFiltered) {
      if (!await finder.clear()) return;
      showNote("The filter was cleared, because it would hide the new node.");
    }
    const made = await this.app.write([{ op: "insert", key, object: columns.newObject("New node"),
      ...place, ...section }]);
    if (!made) return;
    announce("A node is added.");
    const fresh = await grid.goToKey(key);
    if (fresh) await this.rename(fresh, { isNew: true, from: row?.key });
  }

  /** Deletes the selected rows if the active one is among them, else the active one. */
  async remove(row) {
    const { closing, columns, selection } = this.app, keys = await selection.keysFor(row);
    const what = keys.length > 1 ? count(keys.length, "selected node") : columns.shortNameOf(row);
    const text = await this.#warningOf(keys, `${what} cannot be deleted.`);
    if (text === undefined) return;
    const sure = await ask({ title: `Delete ${what}?`, text, action: "Delete", danger: true });
    if (sure && !closing.signal.aborted) await this.#remove(keys, what);
  }

  async #remove(keys, what) {
    const { app } = this, title = `${what} cannot be deleted.`;
    try {
      await app.apply([{ op: "remove", keys }]);
      return announce(`${what} deleted.`);
    } catch (error) {
      if (error.code !== "node-not-found") return app.failed(error, title);
    }
    const rest = await app.selection.existing(keys);
    if (rest.length === 0) return showNote(`Somebody else has deleted ${what} already.`);
    const answer = await app.write([{ op: "remove", keys: rest }], title);
    return answer && announce(`${count(rest.length, "node")} deleted. Somebody else has deleted `
      + `${grouped(keys.length - rest.length)} before.`);
  }

  /** Returns what to say before nodes are deleted; undefined after an error, which is shown. */
  async #warningOf(keys, title) {
    const { app } = this, text = "This cannot be undone.";
    try {
      const { nodeCount, rowCount } = await app.grid.whileBusy(() =>
        app.session.batch([{ op: "remove", keys }], DRY));
      const gone = app.nodeCount - nodeCount;
      // Under a filter, rows of ancestors go, too. Of so many, they are few.
      const hidden = gone - (keys.length > RANGE ? app.view.rowCount - rowCount
        : (await this.#seen(keys)).below);
      return [gone > keys.length && `With all that is below, ${count(gone, "node")}.`,
        hidden > 0 && `${isOrAre(hidden)} not shown.`, text].filter(Boolean).join(" ");
    } catch (error) {
      return app.failed(error, title);
    }
  }

  /** Returns the number of the nodes that have a row, and of all rows that are below these. */
  async #seen(keys) {
    const rows = [];
    for (let from = 0; from < keys.length; from += 1000) {
      const { nodes } = await this.app.session.getNodes({ keys: keys.slice(from, from + 1000),
        fields: ["index", "visibleDescendantCount"] }, { attempts: 3 });
      rows.push(...nodes.filter((row) => typeof row?.index === "number"));
    }
    let below = 0, end = 0;
    for (const { index, visibleDescendantCount } of rows.sort((a, b) => a.index - b.index)) {
      const next = index + 1 + visibleDescendantCount;
      below += Math.max(0, next - Math.max(index, end));
      end = Math.max(end, next);
    }
    return { rows: rows.length, below };
  }

  /** Returns a text about those of the nodes that have no row; empty if all have one. */
  async hiddenOf(keys) {
    if (keys.length === 1 || keys.length > RANGE) return "";
    const hidden = keys.length - (await this.#seen(keys)).rows;
    return hidden > 0 ? `${isOrAre(hidden)} not shown` : "";
  }

  // Moves

  /** Why nodes cannot be put before or after others; undefined if they can. */
  get orderRefusal() {
    const { sort } = this.app.columns;
    return sort && `The rows are sorted by ${this.app.columns.headerOf(sort.by)}. `
      + "Turn that off at the header to put nodes before or after others.";
  }

  /** Returns the error that a move would give, of many nodes the first; null if it is allowed. */
  async refusalOf(move, signal) {
    if (("before" in move || "after" in move) && this.orderRefusal) {
      return { detail: this.orderRefusal };
    }
    try {
      const some = { ...move, keys: move.keys.slice(0, RANGE) };
      await this.app.session.batch([some], { ...DRY, signal });
      return null;
    } catch (error) {
      return error;
    }
  }

  /** Moves nodes, and follows the active one if the user has not gone elsewhere. */
  async move(keys, place, more = []) {
    const { grid } = this.app;
    if (!await this.app.write([{ op: "move", keys, ...place }, ...more])) return;
    const into = place.section === undefined ? "" : ` to ${place.section || "the first section"}`;
    announce(`${count(keys.length, "node")} moved${into}.`);
    if (!keys.includes(grid.active)) return;
    const index = await grid.indexOf(grid.active);
    if (index !== null) await grid.goTo(index);
  }

  /**
   * Returns a row as it is now, and the sibling that is shown directly before or after it, if there
   * is one. The roots of another section are no siblings.
   */
  async #siblings({ key }, isNext) {
    const { session } = this.app;
    for (let attempt = 0; ; attempt++) {
      const before = isNext ? 0 : 1;
      let page = await session.rows({ around: key, before, after: 0, fields: BESIDE });
      const row = page.rows.at(-1), { revision } = page;
      if (isNext) {
        const offset = row.index + 1 + row.visibleDescendantCount;
        page = await session.rows({ offset, limit: 1, fields: BESIDE });
        if (page.revision !== revision && attempt < 10) continue;
      }
      const sibling = [page.rows[0], ...page.ancestors].find((other) => other?.depth === row.depth
        && other.key !== key && other.parent === row.parent && other.section === row.section);
      return { row, sibling };
    }
  }

  /** Moves a row by one place, at the end of its section into the next one. */
  async #moveBy(asked, isNext) {
    if (this.orderRefusal) return showError(this.orderRefusal);
    const { row, sibling } = await this.#siblings(asked, isNext), { key, parent = null } = row;
    if (sibling) {
      return this.move([key], { parent, [isNext ? "after" : "before"]: sibling.key });
    }
    const sections = parent === null ? await this.app.session.listSections() : [];
    const at = sections.findIndex(({ section }) => section === row.section);
    const beyond = sections[at + (isNext ? 1 : -1)];
    if (at < 0 || !beyond) return announce(`This is the ${isNext ? "last" : "first"} one already.`);
    const { section } = beyond;
    return this.move([key], { parent, section, ...(isNext && { first: true }) });
  }

  moveUp(row) { return this.#moveBy(row, false); }
  moveDown(row) { return this.#moveBy(row, true); }

  async moveIn(asked) {
    const { row, sibling } = await this.#siblings(asked, false);
    if (!sibling) return announce("There is no node before it to move it into.");
    const expand = sibling.expanded ? [] : [{ op: "expand", key: sibling.key }];
    return this.move([row.key], { parent: sibling.key }, expand);
  }

  async moveOut(row) {
    if (row.parent == null) return announce("This is at the top already.");
    const parent = await this.app.session.getNode(row.parent, { fields: "parent" });
    await this.move([row.key], { parent: parent.parent ?? null, after: row.parent });
  }

  async cut(row) {
    this.#cut = await this.app.selection.keysToMove(row);
    const hidden = await this.hiddenOf(this.#cut);
    announce(`${count(this.#cut.length, "node")} cut${hidden && `, ${hidden}`}. `
      + "Paste into another row with Control V.");
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
}
