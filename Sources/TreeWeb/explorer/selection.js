// The selected rows: what selects them, and which nodes an action on them concerns.

import { announce, count } from "./messages.js";

const MOST_READ = 1000; // the most rows or nodes that one request reads
const MOST_WRITTEN = 50_000; // the most operations or keys in one batch

export class Selection {
  #anchor;

  /** @param app The explorer, with `session`, `grid`, `finder` and `write`. */
  constructor(app) {
    this.app = app;
  }

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
    const { grid } = this.app;
    const [a, b] = [await grid.locate(this.#anchor ?? from ?? row.key), await grid.locate(row.key)];
    await grid.whileBusy(async () => {
      const rows = await this.#rows(Math.min(a, b), Math.max(a, b));
      await this.#selectAlone({ keys: rows.map(({ key }) => key) });
    });
  }

  /** Selects with Shift and an arrow key. */
  async extendSelection(from, to) {
    this.#anchor ??= from.key;
    await this.selectRange(from.key, to);
  }

  /** Selects every node: all that is below each root; under a filter, the matches it shows. */
  async selectAll() {
    const { app } = this, { finder, grid, session } = app;
    await finder.settled();
    const isDone = await grid.whileBusy(async () => {
      const { filter, rowCount } = await session.getSession({ attempts: 2 });
      if (filter === null) return this.#selectAlone(await this.#roots());
      const rows = await this.#rows(0, rowCount - 1), matches = rows.filter((row) => row.matched);
      return this.#selectAlone({ keys: matches.map(({ key }) => key) });
    });
    if (isDone) announce(`${count(app.selectedCount, "node")} selected.`);
  }

  /** Selects nodes, and others with all that is below, alone. Returns true if that is done. */
  async #selectAlone({ keys, subtrees = [] }) {
    const pieces = [];
    for (let from = 0; from < keys.length; from += MOST_WRITTEN) {
      pieces.push([{ op: "select", keys: keys.slice(from, from + MOST_WRITTEN) }]);
    }
    const others = subtrees.map((subtree) => ({ op: "select", subtree }));
    for (let from = 0; from < others.length; from += MOST_WRITTEN) {
      pieces.push(others.slice(from, from + MOST_WRITTEN));
    }
    const [first = [], ...more] = pieces;
    for (const piece of [[{ op: "clearSelection" }, ...first], ...more]) {
      if (!await this.app.write(piece)) return false;
    }
    return true;
  }

  /** Reads rows from one index to another. */
  async #rows(first, last) {
    const rows = [], { session } = this.app;
    while (rows.length <= last - first) {
      const page = await session.rows({ offset: first + rows.length, ancestors: 0,
        limit: Math.min(MOST_READ, last - first + 1 - rows.length), fields: "key,matched" });
      if (page.rows.length === 0) break;
      rows.push(...page.rows);
    }
    return rows;
  }

  /** Reads all roots: those that are leaves as `keys`, others as `subtrees`. */
  async #roots() {
    const { session } = this.app, keys = [], subtrees = [];
    for (let offset = 0, total = 1; offset < total; offset += MOST_READ) {
      const { childCount, nodes } = await session.listRoots({ offset, limit: MOST_READ,
        fields: "key,childState" });
      total = childCount;
      for (const { key, childState } of nodes) (childState === "leaf" ? keys : subtrees).push(key);
    }
    return { keys, subtrees };
  }

  async clearSelection() {
    this.#anchor = undefined;
    if (await this.app.write([{ op: "clearSelection" }])) announce("Nothing is selected.");
  }

  // The nodes of an action

  /** Returns the keys of the selected nodes if the row is one, else its own. */
  async keysFor(row) {
    const { grid, session } = this.app;
    if (!row.selected) return [row.key];
    const { selectedKeys } = await grid.whileBusy(() => session.getState());
    return selectedKeys?.length > 0 ? selectedKeys : [row.key];
  }

  /** Returns these keys without those of nodes that go along with another one of them. */
  async keysToMove(row) {
    const keys = await this.keysFor(row);
    return keys.length === 1 ? keys : this.app.grid.whileBusy(() => this.#topmost(keys));
  }

  async #topmost(keys) {
    const parents = new Map(), chosen = new Set(keys);
    for (let unknown = keys; unknown.length > 0;) {
      const nodes = await this.#nodes(unknown, "parent");
      for (const [i, key] of unknown.entries()) parents.set(key, nodes[i]?.parent ?? null);
      unknown = [...new Set(unknown.map((key) => parents.get(key)))]
        .filter((key) => key !== null && !parents.has(key));
    }
    const goesAlong = (key) => {
      for (let at = parents.get(key); at != null; at = parents.get(at)) {
        if (chosen.has(at)) return true;
      }
      return false;
    };
    return keys.filter((key) => !goesAlong(key));
  }

  /** Returns those of the keys whose nodes exist. */
  async existing(keys) {
    const nodes = await this.#nodes(keys, "key");
    return keys.filter((_, i) => nodes[i] !== null);
  }

  async #nodes(keys, field) {
    const all = [], { session } = this.app;
    for (let from = 0; from < keys.length; from += MOST_READ) {
      const { nodes } = await session.getNodes({ keys: keys.slice(from, from + MOST_READ),
        fields: [field] }, { attempts: 3 });
      all.push(...nodes);
    }
    return all;
  }
}
