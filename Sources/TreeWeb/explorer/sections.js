// The sections of a tree, in a bar above its rows, which folds them, and shows empty ones, too.

import { shortened } from "./columns.js";
import { announce, count, find, grouped, make } from "./messages.js";

const REST = 1000; // milliseconds between two reads

export class Sections {
  #at; // the revision of the sections that are shown
  #timer;
  #shown;
  #bar = find("sections");

  /** @param app The explorer, with `session`, `view`, `grid`, `edits` and `mayWrite`. */
  constructor(app) {
    this.app = app;
    app.closing.signal.addEventListener("abort", () => {
      clearTimeout(this.#timer);
      this.#bar.hidden = true;
      this.#bar.replaceChildren();
    });
  }

  /** Reads the sections of a tree that has some again, if the rows have changed. */
  update() {
    const { closing: { signal }, session, view } = this.app, { revision } = view;
    const isDivided = session.description.sections.length > 0
      || view.row(view.range.first)?.section !== undefined;
    if (!isDivided || this.#timer || revision === this.#at || signal.aborted) return;
    this.#timer = setTimeout(() => this.#read(), this.#at === undefined ? 0 : REST);
  }

  async #read() {
    const { closing: { signal }, session, view } = this.app, at = view.revision;
    const sections = await session.listSections({ attempts: 1, signal }).catch(() => undefined);
    this.#timer = undefined;
    if (!sections || signal.aborted) return;
    this.#at = at;
    // A button that is replaced loses a click that has begun.
    const shown = JSON.stringify(sections);
    if (shown !== this.#shown) this.#show(sections);
    this.#shown = shown;
    this.update();
  }

  /** Marks the section of the active row. */
  activated({ section }) {
    for (const button of this.#bar.querySelectorAll("[data-section]")) {
      button.ariaCurrent = button.dataset.section === section ? "true" : null;
    }
  }

  #show(sections) {
    const { grid } = this.app, { section, folds } = document.activeElement?.dataset ?? {};
    this.#bar.hidden = sections.length < 2;
    this.#bar.replaceChildren(...sections.flatMap((each) => this.#buttons(each)));
    if (grid.activeRow) this.activated(grid.activeRow);
    if (section === undefined && folds === undefined) return;
    [...this.#bar.children].find(({ dataset }) =>
      dataset.section === section && dataset.folds === folds)?.focus();
  }

  #buttons({ section, rootCount, rowCount, offset, expanded }) {
    const { app } = this, name = shortened(section) || "No name";
    const act = (action) => () => app.grid.perform(action);
    if (rootCount === 0) {
      return make("button", { "data-section": section, disabled: !app.mayWrite,
        "aria-label": `Add a node to ${name}`, title: "Add a node to this empty section",
        onclick: act(() => app.edits.add(undefined, section)) },
      make("span", { class: "icon plus", "aria-hidden": "true" }), name);
    }
    const folds = make("button", { "data-folds": section, "aria-expanded": String(expanded),
      "aria-label": name, title: expanded ? "Collapse this section" : "Expand this section",
      onclick: act(() => this.#fold(section, expanded)) },
    make("span", { class: "icon down", "aria-hidden": "true" }));
    const goes = make("button", { "data-section": section, title: "Go to this section",
      onclick: act(async () => {
        if (!expanded) await this.#fold(section, false);
        if (!expanded || rowCount > 0) await app.grid.goTo(offset);
        else announce(`The filter hides all rows of ${name}.`);
      }) }, name, make("span", { class: "number" }, grouped(rootCount)));
    return [folds, goes];
  }

  /** Collapses a section, or expands it. */
  async #fold(section, isOpen) {
    const op = isOpen ? "collapseSection" : "expandSection";
    const answer = await this.app.write([{ op, section }]);
    if (!answer) return;
    announce(`${isOpen ? "Collapsed" : "Expanded"}, ${count(answer.rowCount, "row")}.`);
    clearTimeout(this.#timer);
    await this.#read();
  }
}
