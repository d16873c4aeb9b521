// Finding: a search through all nodes, with next and previous; a filter; and typing ahead.

import { announce, count, find, grouped, showError } from "./messages.js";

const PAUSE = 200;
const COUNT_PAUSE = 300; // milliseconds for which a match waits for the number of all

export class Finder {
  #found = []; // keys that were gone to, for going back
  #query = "";
  #total;
  #searching;
  #counting;
  #filtering;
  #applied = ""; // the text of the filter, until it is known to be off
  #applying;
  #timers = {};
  #typed = "";

  /** @param before The finder of a session that has ended, and is continued. */
  constructor(app, before) {
    this.app = app;
    const search = find("find"), filter = find("filter"), { signal } = app.closing;
    const on = (element, kind, action) => element.addEventListener(kind, action, { signal });
    if (before) this.#continue(before);
    else search.value = filter.value = find("found").textContent = "";
    signal.addEventListener("abort", () => this.#end());
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
    on(filter, "input", () => this.#filterLater());
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

  #continue(before) {
    [this.#query, this.#found, this.#total] = [before.#query, before.#found, before.#total];
    this.#applied = before.#applied;
    if (find("filter").value.trim() !== this.#applied) this.#filterLater();
  }

  #end() {
    for (const timer of Object.values(this.#timers)) clearTimeout(timer);
    this.#searching?.abort();
    this.#counting?.abort();
    this.#filtering?.abort();
  }

  #filterLater() {
    this.#later("filter", () => this.filter(find("filter").value.trim()));
  }

  #later(name, action) {
    clearTimeout(this.#timers[name]);
    this.#timers[name] = setTimeout(() => {
      this.#timers[name] = undefined;
      action();
    }, PAUSE);
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
    this.#counting?.abort();
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
    const counted = isFirst && this.#count(query);
    try {
      const { matches: [match] } = await session.search({ ...query,
        ...(after === undefined ? {} : { after }) });
      if (isFirst && match) {
        await Promise.race([counted, new Promise((resolve) => setTimeout(resolve, COUNT_PAUSE))]);
      }
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

  /** Counts all matches, which takes longer than to find the first one. */
  async #count(query) {
    const { signal } = this.#counting = new AbortController();
    try {
      const { total } = await this.app.session.search({ ...query, count: true, signal });
      if (signal.aborted) return;
      this.#total = total;
      if (find("found").textContent === "") this.#show(this.#place);
    } catch {
      // The matches are gone to without their number.
    }
  }

  /** The place of the match among all; empty until they are counted. */
  get #place() {
    return this.#total === undefined ? "" : `${this.#found.length} of ${grouped(this.#total)}`;
  }

  async #reveal(key, signal) {
    try {
      const row = await this.app.grid.goToKey(key, { focus: false });
      if (signal.aborted) return;
      this.#show(this.#place);
      const name = row && this.app.columns.nameOf(row);
      if (row) announce(this.#place ? `${name}, ${this.#place}` : name);
    } catch (error) {
      if (signal.aborted) return;
      this.#show(error.code === "hidden-by-filter" ? "Hidden" : "");
      showError(error);
    }
  }

  /** Shows the rows that contain a text, and their ancestors. Supersedes an earlier filter. */
  filter(text) { return this.#applying = this.#apply(text); }

  /** Waits until the rows are those of the text in the box. */
  async settled() {
    if (this.#timers.filter) {
      clearTimeout(this.#timers.filter);
      this.#timers.filter = undefined;
      this.filter(find("filter").value.trim());
    }
    await this.#applying;
  }

  /** Turns the filter off, and returns true if that is done. */
  async clear() {
    const box = find("filter"), text = box.value;
    box.value = "";
    await this.filter("");
    if (this.isFiltered && box.value === "") box.value = text;
    return !this.isFiltered;
  }

  /** The filter that is applied, for another session. */
  get applied() { return this.#filterOf(this.#applied); }

  #filterOf(text) {
    const { columns } = this.app, subjects = new Set([columns.name, "#key", ...columns.chosen]);
    return text ? { any: [...subjects].map((by) => ({ by, contains: text })) } : null;
  }

  async #apply(text) {
    const { session, view, grid } = this.app, filter = this.#filterOf(text), { active } = grid;
    this.#filtering?.abort();
    const { signal } = this.#filtering = new AbortController();
    grid.hasMoved();
    this.#applied ||= text;
    try {
      await grid.whileBusy(async () => {
        await session.patch({ filter }, { signal, attempts: 3 });
        if (!signal.aborted) this.#applied = text;
        await view.settled();
      });
      const index = await grid.indexOf(active);
      if (signal.aborted) return;
      await grid.goTo(index ?? 0, { centered: true, focus: false });
      announce(text ? `${count(view.rowCount, "row")} for ${text}.` : "The filter is off.");
    } catch (error) {
      if (!signal.aborted && error.code !== "superseded") showError(error, "The filter failed.");
    }
  }

  get isFiltered() { return this.#applied !== ""; }
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
    const { grid, columns } = this.app, { activeRow } = grid;
    const begins = (row) => columns.nameOf(row).toLowerCase().startsWith(sought);
    // The active row may still fit the longer text.
    if (activeRow && sought.length > 1 && begins(activeRow)) return;
    const near = this.#heldRow(begins);
    if (near) return void await grid.goTo(near.index);
    try {
      const index = await this.#seek(sought, begins);
      if (index === null) announce(`Nothing begins with ${sought}.`);
      else if (index !== undefined) await grid.goTo(index);
    } catch (error) {
      showError(error);
    }
  }

  /**
   * Returns the index of the next row that fits, of the matches of a text; null if there is none.
   * Many matches may be hidden. If another key is pressed meanwhile, the search ends.
   */
  async #seek(sought, fits) {
    const { session, grid, columns } = this.app;
    const { signal } = this.#seeking = new AbortController();
    const query = { q: sought, by: columns.name, limit: 1000, fields: "index,key,object",
      attempts: 1 };
    for (const start of grid.active === undefined ? [undefined] : [grid.active, undefined]) {
      let after = start;
      do {
        const { matches, next } = await session.search({ ...query,
          ...(after != null && { after }) });
        const match = matches.find((row) => row.index !== null && fits(row));
        if (match) return match.index;
        if (next !== null && signal.aborted) return undefined;
        after = next;
      } while (after !== null);
    }
    return null;
  }
  #seeking;

  /** Ends a long search for what was typed. */
  keyPressed() { this.#seeking?.abort(); }

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
