// The sections of a tree, in a bar above its rows, which shows those without rows, too.

import { shortened } from "./columns.js";
import { announce, find, grouped, make } from "./messages.js";

const REST = 1000; // milliseconds between two reads

export class Sections {
  #at; // the revision of the sections that are shown
  #timer;
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
    this.#timer = setTimeout(async () => {
      const at = view.revision;
      const sections = await session.listSections({ attempts: 1, signal }).catch(() => undefined);
      this.#timer = undefined;
      if (!sections || signal.aborted) return;
      this.#at = at;
      this.#show(sections);
      this.update();
    }, this.#at === undefined ? 0 : REST);
  }

  /** Marks the section of the active row. */
  activated({ section }) {
    for (const button of this.#bar.children) {
      button.ariaCurrent = button.dataset.section === section ? "true" : null;
    }
  }

  #show(sections) {
    const { grid } = this.app, focused = document.activeElement?.dataset.section;
    this.#bar.hidden = sections.length < 2;
    this.#bar.replaceChildren(...sections.map((section) => this.#button(section)));
    if (grid.activeRow) this.activated(grid.activeRow);
    if (focused === undefined) return;
    [...this.#bar.children].find(({ dataset }) => dataset.section === focused)?.focus();
  }

  #button({ section, rootCount, rowCount, offset }) {
    const { app } = this, name = shortened(section) || "No name";
    const act = (action) => () => app.grid.perform(action);
    if (rootCount === 0) {
      return make("button", { "data-section": section, disabled: !app.mayWrite,
        "aria-label": `Add a node to ${name}`, title: "Add a node to this empty section",
        onclick: act(() => app.edits.add(undefined, section)) },
      make("span", { class: "icon plus", "aria-hidden": "true" }), name);
    }
    return make("button", { "data-section": section, title: "Go to this section",
      onclick: act(() => rowCount > 0 ? app.grid.goTo(offset)
        : announce(`The filter hides all rows of ${name}.`)) },
    name, make("span", { class: "number" }, grouped(rootCount)));
  }
}
