// Finding: a search through all nodes, with next and previous; a filter; and typing ahead.

import { announce, count, find, grouped, showError } from "./messages.js";

const PAUSE = 200;

export class Finder {
  #found = []; // keys that were gone to, for going back
  #query = "";
  #total;
  #searching;
  #filtering;
  #timers = {};
  #typed = "";

  constructor(app) {
    this.app = app;
    const search = find("find"), filter = find("filter"), { signal } = app.closing;
    const on = (element, kind, action) => element.addEventListener(kind, action, { signal });
    search.value = filter.value = "";
    find("found").textContent = "";
    on(search, "input", () => this.#later("search", () => this.#begin(search.value.trim())));
    on(search, "keydown", (event) => {
      if (event.key === "Enter") {
        event.preventDefault();
        if (event.shiftKey) this.previous();
        else this.next();
      } else if (event.key === "Escape" && search.value === "") app.grid.focus();
      else if (event.key === "ArrowDown") app.grid.focus();
    });
    on(find("next"), "click", () => this.next());
    on(find("previous"), "click", () => this.previous());
    on(filter, "input", () => this.#later("filter", () => this.filter(filter.value.trim())));
    on(filter, "keydown", ({ key }) => {
      if (key === "ArrowDown") app.grid.focus();
    });
    on(document, "keydown", (event) => {
      if (event.key !== "f" || !(event.ctrlKey || event.metaKey) || event.shiftKey) return;
      event.preventDefault();
      search.focus();
      search.select();
    });
  }

  #later(name, action) {
    clearTimeout(this.#timers[name]);
    this.#timers[name] = setTimeout(action, PAUSE);
  }

  #show(text) {
    find("found").textContent = text;
    for (const id of ["next", "previous"]) find(id).disabled = !this.#query;
    find("previous").disabled ||= this.#found.length < 2;
  }

  async #begin(query) {
    if (query === this.#query) return;
    [this.#query, this.#found, this.#total] = [query, [], undefined];
    this.#searching?.abort();
    this.#show("");
    if (query) await this.#go(undefined, true);
  }

  async next() {
    clearTimeout(this.#timers.search);
    const query = find("find").value.trim();
    if (query !== this.#query) return this.#begin(query);
    if (query) await this.#go(this.#found.at(-1));
  }

  async previous() {
    if (this.#found.length < 2) return;
    this.#searching?.abort();
    this.#found.pop();
    await this.#reveal(this.#found.at(-1), (this.#searching = new AbortController()).signal);
  }

  /** Goes to the first match behind a node; behind the last one, to the first. */
  async #go(after, isFirst = false) {
    this.#searching?.abort();
    const { signal } = this.#searching = new AbortController(), { session } = this.app;
    const query = { q: this.#query, limit: 1, fields: "key", signal, attempts: 2 };
    find("found").textContent = "…";
    try {
      const { matches: [match], total } = await session.search({ ...query,
        ...(after === undefined ? {} : { after }), ...(isFirst && { count: true }) });
      if (isFirst) this.#total = total;
      if (!match && after !== undefined) {
        announce("Beginning again at the top.");
        this.#found = [];
        return await this.#go();
      }
      if (signal.aborted) return undefined;
      if (!match) {
        this.#show("None");
        return announce("No match.");
      }
      this.#found.push(match.key);
      await this.#reveal(match.key, signal);
    } catch (error) {
      if (!signal.aborted) {
        this.#show("");
        showError(error, "The search failed.");
      }
    }
  }

  async #reveal(key, signal) {
    try {
      const row = await this.app.grid.goToKey(key, { focus: false });
      if (signal.aborted) return;
      this.#show(this.#total === undefined ? ""
        : `${this.#found.length} of ${grouped(this.#total)}`);
      if (row) announce(`${this.app.columns.nameOf(row)}, ${find("found").textContent}`);
    } catch (error) {
      if (signal.aborted) return;
      this.#show(error.code === "hidden-by-filter" ? "Hidden" : "");
      showError(error);
    }
  }

  /** Shows the rows that contain a text, and their ancestors. Supersedes an earlier filter. */
  async filter(text) {
    const { session, columns, view, grid } = this.app;
    this.#filtering?.abort();
    const { signal } = this.#filtering = new AbortController();
    const subjects = [columns.name, "#key", ...columns.chosen]
      .filter((by, i, all) => all.indexOf(by) === i);
    const filter = text ? { any: subjects.map((by) => ({ by, contains: text })) } : null;
    const { active } = grid;
    grid.grid.classList.add("waiting");
    grid.hasMoved();
    try {
      await session.patch({ filter }, { signal, attempts: 3 });
      await view.settled();
      const index = await grid.indexOf(active);
      if (signal.aborted) return;
      await grid.goTo(index ?? 0, { centered: true, focus: false });
      announce(text ? `${count(view.rowCount, "row")} for ${text}.` : "The filter is off.");
    } catch (error) {
      if (!signal.aborted && error.code !== "superseded") showError(error, "The filter failed.");
    } finally {
      if (!signal.aborted) grid.grid.classList.remove("waiting");
    }
  }

  get isFiltered() { return find("filter").value.trim() !== ""; }
  get isTyping() { return this.#typed !== ""; }
  endTyping() { this.#typed = ""; }

  /** Adds a character to the typed text, and returns an action that goes to the row it names. */
  typed(character) {
    clearTimeout(this.#timers.typed);
    this.#timers.typed = setTimeout(() => this.endTyping(), 700);
    const typed = this.#typed += character.toLowerCase();
    const isRepeated = [...typed].every((other) => other === typed[0]);
    // If more characters were typed meanwhile, only the longest text is sought.
    return () => !isRepeated && this.#typed !== typed && this.#typed.startsWith(typed) ? undefined
      : this.#typeAhead(isRepeated ? typed[0] : typed);
  }

  /** Goes to the next visible row whose name begins with a text. */
  async #typeAhead(sought) {
    const { session, grid, columns } = this.app;
    const { activeRow } = grid;
    const begins = (row) => columns.nameOf(row).toLowerCase().startsWith(sought);
    // The active row may still fit the longer text.
    if (activeRow && sought.length > 1 && begins(activeRow)) return;
    const near = this.#heldRow(begins);
    if (near) return void await grid.goTo(near.index);
    const query = { q: sought, by: columns.name, limit: 1000, fields: "index,key,object",
      attempts: 1 };
    try {
      for (const after of grid.active === undefined ? [undefined] : [grid.active, undefined]) {
        const { matches } = await session.search({ ...query,
          ...(after !== undefined && { after }) });
        const match = matches.find((row) => row.index !== null && begins(row));
        if (match) return void await grid.goTo(match.index);
      }
      announce(`Nothing begins with ${sought}.`);
    } catch (error) {
      showError(error);
    }
  }
  /** Returns the next row that fits, of the rows held without a gap from the active one. */
  #heldRow(fits) {
    const { view, grid } = this.app, from = view.indexOf(grid.active);
    for (let step = 1; step < view.rowCount; step++) {
      const row = view.row((from + step) % view.rowCount);
      if (!row) return undefined;
      if (fits(row)) return row;
    }
    return undefined;
  }
}
