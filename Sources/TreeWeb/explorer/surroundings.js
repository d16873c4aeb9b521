// The ancestors of rows, and their positions among their siblings.
//
// Change lists do not keep them up to date, so they are read again from time to time.

const READ = "position,siblingCount";
const HELD = 20_000;

export class Surroundings {
  #session;
  #ancestors = new Map();
  #places = new Map();

  /** A function that is called with each change list that a view receives. */
  told;

  /** Wraps the session's reads, so that pages of a view also have positions and ancestors. */
  constructor(session) {
    this.#session = session;
    const { changes, listRows } = Object.getPrototypeOf(session);
    const told = (list) => this.told(list);
    session.changes = async function* (options) {
      for await (const list of changes.call(session, options)) {
        if (list.changes) told(list);
        yield list;
      }
    };
    session.listRows = async (query) => {
      const isOfView = query.fields?.includes("depth");
      const page = await listRows.call(session, isOfView
        ? { ...query, fields: `${query.fields},${READ}`, ancestors: 100 } : query);
      if (page) this.#remember(page);
      return page;
    };
  }

  /** Reads positions and ancestors for a range of rows, and returns the keys of these rows. */
  async read(first, last, hasAncestors) {
    const fields = hasAncestors ? `key,parent,depth,childState,childCount,object,${READ}`
      : `key,${READ}`;
    const page = await this.#session.rows({ offset: first, limit: Math.max(1, last - first + 1),
      fields, ancestors: hasAncestors ? 100 : 0, attempts: 1 });
    this.#remember(page);
    return page.rows.map(({ key }) => key);
  }

  /** Returns an ancestor, in its state at the last read. */
  ancestor(key) { return this.#ancestors.get(key); }

  /** Returns the position of a row among its siblings, and their number. */
  placeOf(key) { return this.#places.get(key); }

  #remember({ ancestors, rows }) {
    for (const row of ancestors) this.#ancestors.set(row.key, row);
    for (const { key, position, siblingCount } of rows) {
      if (position !== undefined) this.#places.set(key, { position, siblingCount });
    }
    for (const map of [this.#ancestors, this.#places]) {
      for (const key of map.size > HELD ? [...map.keys()].slice(0, HELD / 2) : []) map.delete(key);
    }
  }
}
