// The name that is edited in its row.

import { oneLine, shortened } from "./columns.js";
import { announce, make, showError, showNote } from "./messages.js";

const PATIENCE = 5; // attempts to change a node in the state that was seen

export class Naming {
  #now;

  constructor(app) {
    this.app = app;
  }

  /** The key of the row whose name is edited; undefined if there is none. */
  get key() { return this.#now?.key; }

  /**
   * Lets the user edit a name in its place: that of a new node that was added `from` another one,
   * or one that was edited before, with its `text`, `selection`, and the name `seen` at first.
   */
  async rename(row, { isNew = false, from, text, selection, seen } = {}) {
    const { grid, columns } = this.app, raw = columns.rawNameOf(row);
    const name = columns.shortNameOf(row), refusal = columns.refusalOf(row);
    if (refusal) return showError(`${name} cannot be renamed: ${refusal}.`);
    await grid.goTo(await grid.locate(row.key));
    const element = grid.elementOf(row.key);
    if (!element?.parts) return;
    const input = make("input", { class: "rename", "aria-label": isNew ? "Name of the new node"
      : `New name of ${name}`, spellcheck: "false" });
    // The box leaves out breaks of lines.
    input.value = raw;
    const before = input.value;
    input.value = text ?? raw;
    element.classList.add("editing");
    element.parts.label.after(input);
    input.focus({ preventScroll: true });
    if (text === undefined) input.select();
    else input.setSelectionRange(...selection ?? [text.length, text.length]);
    const now = { key: row.key, element, input, isNew, from, before, seen: seen ?? raw };
    this.#now = now;
    now.end = (how, refocus) => this.#end(now, row, how, refocus);
    // Others may have scrolled away what is typed.
    input.addEventListener("input", () => grid.show(grid.view.indexOf(row.key)));
    input.addEventListener("keydown", (event) => {
      event.stopPropagation();
      if (event.key === "Enter" || event.key === "Tab") event.preventDefault();
      if (event.key === "Enter" || event.key === "Tab") now.end("save", true);
      if (event.key === "Escape") now.end("cancel", true);
    });
    input.addEventListener("blur", () => now.end("save", false));
    for (const kind of ["pointerdown", "click", "dblclick"]) {
      input.addEventListener(kind, (event) => event.stopPropagation());
    }
    // From now on, this row is the one that stays in its place.
    grid.list.render();
  }

  async #end(now, row, how, refocus) {
    if (now.isOver) return;
    now.isOver = true;
    const { app: { closing, grid } } = this, { input, isNew } = now;
    const entered = input.value.trim(), differs = entered !== "" && input.value !== now.before;
    // A session that ends meanwhile is continued with what was entered.
    if (closing.signal.aborted) return;
    const isSaved = how === "save" && differs;
    if (!isSaved) this.#now = undefined;
    now.element.classList.remove("editing");
    input.remove();
    if (isSaved) {
      // Until the service has it, the new name is shown as one that is not saved yet.
      now.element.parts.label.textContent = oneLine(entered);
      now.element.classList.add("pending");
    }
    if (refocus) grid.focus();
    if (isSaved) await grid.perform(() => this.#save(row, entered, now));
    else if (isNew && (how === "cancel" || how === "save" && entered === "")) {
      await grid.perform(() => this.#takeBack(row, now, refocus));
    }
  }

  /** Renames a row. If that fails, and the user has gone nowhere else, the name is edited again. */
  async #save(row, entered, now) {
    const { app } = this, { closing, columns, finder, grid } = app, { seen } = now;
    const name = columns.shortNameOf(row), wanted = shortened(oneLine(entered));
    const title = `${name} was not renamed to ${wanted}`;
    let found, refusal, isOvertaken, answer;
    try {
      answer = await this.#changeIf(row.key, (node) => {
        found = node;
        refusal = node && columns.refusalOf(node);
        isOvertaken = node && ![seen, entered].includes(columns.rawNameOf(node));
        return node && !refusal && !isOvertaken && columns.rename(node, entered);
      });
    } catch (error) {
      app.failed(error, `${title}.`);
    }
    if (closing.signal.aborted) return undefined;
    if (this.#now === now) this.#now = undefined;
    grid.settleName(now.element);
    if (found === null) return showError(`${title}: it was deleted meanwhile.`);
    if (refusal) return showError(`${title}: ${refusal}.`);
    grid.setColumns();
    if (answer) {
      const index = await grid.indexOf(row.key), isHidden = finder.isFiltered && index === null;
      // Under a sort, it may be elsewhere.
      if (index !== null && grid.active === row.key) {
        await grid.goTo(index, { focus: grid.hasFocus });
      }
      return announce(`Renamed to ${wanted}.${isHidden ? " The filter hides it." : ""}`);
    }
    const other = isOvertaken && columns.shortNameOf(found);
    const at = document.activeElement, isHere = at === document.body || grid.grid.contains(at);
    if (!isHere || grid.active !== row.key || await grid.indexOf(row.key) === null) {
      return other && showError(`${title}: somebody else has renamed it to ${other}.`);
    }
    if (other) {
      showNote(`Somebody else has renamed ${name} to ${other}. Enter replaces that name, `
        + "Escape keeps it.");
    }
    return this.rename(found ?? row, { isNew: now.isNew, from: now.from, text: entered,
      seen: other ? columns.rawNameOf(found) : seen });
  }

  /** Removes a new node that got no name, unless others have changed it. */
  async #takeBack({ key }, { before, from }, refocus) {
    const { app } = this, { columns, grid } = app;
    try {
      const answer = await this.#changeIf(key, (node) => node?.childState === "leaf"
        && columns.rawNameOf(node) === before && { op: "remove", key });
      if (!answer) return;
      announce("No node is added.");
      if (refocus && from !== undefined && await grid.indexOf(from) !== null) {
        await grid.goToKey(from);
      }
    } catch (error) {
      app.failed(error, "The new node was not taken back.");
    }
  }

  /**
   * Applies the operation that a function gives for a node in its present state, which is null if
   * it is gone. Without an operation it does nothing.
   */
  async #changeIf(key, operationFor) {
    const { app } = this, { session } = app;
    for (let attempt = 1; ; attempt++) {
      const { revision, nodes: [node] } = await session.getNodes({ keys: [key],
        fields: ["key", "childState", "object"] }, { attempts: 3 });
      const operation = operationFor(node);
      if (!operation) return undefined;
      try {
        // Where others change the tree all the time, the last attempt has no condition.
        return await app.apply([operation], attempt < PATIENCE ? { ifMatch: revision } : {});
      } catch (error) {
        if (error.code !== "revision-mismatch") throw error;
      }
    }
  }

  /** Ends the editing of a name whose row is gone, and tells what was entered. */
  abandon(key) {
    const now = this.#now, element = this.app.grid.elementOf(key);
    if (now?.key !== key || !element?.contains(now.input)) return;
    const { value } = now.input;
    now.end("abandon", true);
    if (value === now.before) return;
    showError(`${shortened(element.parts.label.textContent)} is gone or hidden now. `
      + `It was not renamed to ${shortened(oneLine(value.trim()))}.`);
  }

  /** A name that is not saved, as `rename` takes it, and its `key`; undefined if there is none. */
  get unsaved() {
    if (!this.#now) return undefined;
    const { key, isNew, from, seen, input } = this.#now;
    return { key, isNew, from, seen, text: input.value,
      selection: [input.selectionStart, input.selectionEnd] };
  }
}
