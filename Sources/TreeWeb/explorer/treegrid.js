// The rows of a session as a treegrid (WAI-ARIA). Only visible rows are in the document.

import { virtualList } from "../client/virtual-list.js";
import { keyPressed } from "./keyboard.js";
import { announce, count, grouped, make, showError } from "./messages.js";

/** The height of a row in pixels, larger for fingers. The style sheet has the same values. */
export const ROW_HEIGHT = matchMedia("(pointer: coarse)").matches ? 36 : 28;
const MOST_STICKY = 5;

export class TreeGrid {
  /** The key of the active row, which has the focus if the grid has it. */
  active;
  /** The index at which the active row was last seen. */
  activeIndex = 0;
  #list;
  #header = make("div", { role: "row", class: "row header", "aria-rowindex": 1 });
  #sticky = make("div", { class: "sticky", "aria-hidden": "true" });
  #element;
  #scroller;
  #leave;
  #waitsForRow;
  #rowCount = -1;
  #known = new Set();
  #hasMoved = true;
  #lastTop = 0;
  #placesAt = 0;

  /**
   * @param app The explorer: `session`, `view`, `columns`, `surroundings`, `edits`, `finder`,
   * `write(operations)`, and callbacks such as `activated(row)` and `opened(row)`.
   */
  constructor(element, app) {
    Object.assign(this, { app, session: app.session, view: app.view });
    this.#element = element;
    this.#scroller = make("div", { role: "rowgroup", class: "body" });
    const frame = make("div", { class: "frame", role: "presentation" }, this.#scroller,
      this.#sticky);
    this.#nothing = make("p", { class: "nothing", hidden: true });
    const grid = make("div", { role: "treegrid", class: "treegrid", "aria-label": app.label,
      "aria-multiselectable": "true", tabindex: "-1" },
    make("div", { role: "rowgroup", class: "head" }, this.#header), frame);
    element.replaceChildren(grid, this.#nothing);
    this.grid = grid;
    // Keys of the grid move between rows.
    this.#header.addEventListener("keydown", (event) => event.stopPropagation());
    grid.addEventListener("keydown", (event) => keyPressed(this, event));
    this.#followFocus();
    this.#scroller.addEventListener("click", (event) => this.#clicked(event));
    this.#scroller.addEventListener("dblclick", (event) => {
      const row = this.rowOf(event.target);
      if (row && !event.target.closest(".twist, .check, input")) this.open(row);
    });
    this.#scroller.addEventListener("focusin", ({ target, relatedTarget }) => {
      const row = target.closest("[role=row]")?.row;
      if (row && row.key !== this.active) this.activate(row, { focus: false });
      const isFromElsewhere = relatedTarget && !frame.contains(relatedTarget);
      if (isFromElsewhere && relatedTarget !== grid) this.#seek();
    });
    this.#sticky.addEventListener("click", ({ target }) => {
      const key = target.closest(".row")?.dataset.key;
      if (key !== undefined) this.goToKey(key);
    });
    // It learns of another size before the list, which draws the rows for it.
    this.#resized = new ResizeObserver(() => this.setColumns());
    this.#resized.observe(element);
    this.setColumns();
    this.#list = virtualList(this.#scroller, app.view, { rowHeight: ROW_HEIGHT,
      draw: (row, ...drawn) => this.#draw(row, ...drawn), pinned: () => this.active,
      rendered: (list) => this.#rendered(list) });
    this.#leave = app.view.subscribe((change) => this.#changed(change));
  }
  #resized;
  #nothing;

  // The focus

  /** Remembers if the grid has the focus, for a row that is removed with it. */
  #followFocus() {
    const { grid } = this, { signal } = this.app.closing;
    grid.addEventListener("focusin", ({ target }) => {
      this.#hadFocus = true;
      if (target === grid) this.#keepFocus();
    });
    grid.addEventListener("focusout", ({ relatedTarget }) => {
      // It comes back from a dialog.
      if (relatedTarget && !relatedTarget.closest("dialog")) this.#hadFocus = false;
    });
    document.addEventListener("pointerdown", ({ target }) => {
      if (!grid.contains(target)) this.#hadFocus = false;
    }, { signal, capture: true });
  }
  #hadFocus = false;

  /** True if the grid has the focus, or had it last, and nothing has it now. */
  get hasFocus() {
    const { activeElement, body } = document;
    return this.grid.contains(activeElement) || (this.#hadFocus && activeElement === body);
  }

  /** Gives the focus to the active row; without one, to the grid, so that its keys can be used. */
  focus() {
    // The first rows may have come, and not be drawn yet.
    if (this.active === undefined) this.#list.render();
    (this.#list.elementOf(this.active) ?? this.grid).focus({ preventScroll: true });
  }

  /** Shows the active row again, which may be out of sight since the rows were sorted. */
  async #seek() {
    const at = this.view.indexOf(this.active), { first, last } = this.#list;
    if (at >= first && at <= last) return;
    await this.goTo(await this.locate(), { centered: true, focus: false });
  }

  /** Gives the focus to a row again, if a row was removed with it, or there was none. */
  #keepFocus() {
    this.grid.tabIndex = this.view.rowCount > 0 ? -1 : 0;
    const { activeElement, body } = document;
    if (!this.hasFocus || ![body, this.grid].includes(activeElement)) return;
    (this.#list?.elementOf(this.active) ?? this.grid).focus({ preventScroll: true });
  }

  /** Performs an action. If it takes long, this is shown and announced. */
  async whileBusy(action) {
    if (this.#actions++ === 0) {
      this.#slow = [setTimeout(() => this.#showBusy(true), 300),
        setTimeout(() => announce("Working…"), 1000)];
    }
    try {
      return await action();
    } finally {
      if (--this.#actions === 0) {
        for (const timer of this.#slow) clearTimeout(timer);
        this.#showBusy(false);
      }
    }
  }
  #actions = 0;
  #slow = [];

  #showBusy(isSlow = this.grid.classList.contains("waiting")) {
    this.grid.classList.toggle("waiting", isSlow);
    if (isSlow || this.#lacksRows) this.grid.setAttribute("aria-busy", "true");
    else this.grid.removeAttribute("aria-busy");
  }
  #lacksRows = false;

  close() {
    this.#leave();
    this.#resized.disconnect();
    clearTimeout(this.#placing);
    clearTimeout(this.#resting);
    clearTimeout(this.#loading);
    this.#list.close();
    this.#element.replaceChildren();
  }

  // Columns

  /** Shows the chosen columns that there is room for. */
  setColumns() {
    const { columns } = this.app, width = this.#element.clientWidth;
    // Reading it while rows are drawn would have them laid out twice.
    this.#height = this.#scroller.clientHeight;
    const gutter = this.#scroller.offsetWidth - this.#scroller.clientWidth;
    this.grid.style.setProperty("--gutter", `${gutter}px`);
    const most = Math.max(0, Math.floor((width - 340) / 144));
    const shown = columns.shown(most), wide = width >= 420;
    const mark = JSON.stringify([columns.name, wide, columns.sort, shown.map((pointer) =>
      [pointer, columns.numeric.has(pointer), columns.decimals.get(pointer)])]);
    if (mark === this.#mark) return;
    this.#mark = mark;
    this.shown = shown;
    this.hasCounts = wide;
    const head = (text, name, by) => make("div", { role: "columnheader", class: `cell ${name}`,
      "aria-sort": by === undefined ? null : columns.directionOf(by) },
    by === undefined ? text : make("button", { class: "sort", "data-by": by,
      onclick: () => this.perform(() => this.#sortBy(by, text)) }, text));
    const focused = this.#header.querySelector(":focus")?.dataset.by;
    this.#header.replaceChildren(head(columns.headerOf(columns.name), "name", columns.name),
      ...shown.map((pointer) =>
        head(columns.titleOf(pointer), columns.numeric.has(pointer) ? "numeric" : "", pointer)));
    if (wide) this.#header.append(head("Children", "numeric"));
    this.grid.style.setProperty("--columns",
      `minmax(0, 1fr) ${"minmax(0, 120px) ".repeat(shown.length)} ${wide ? "84px" : ""}`);
    for (const button of this.#header.querySelectorAll("button")) {
      if (button.dataset.by === focused) button.focus();
    }
    this.redraw();
  }

  /** Sorts the rows by a column: in this session alone. */
  async #sortBy(by, title) {
    const { columns } = this.app, sort = columns.nextSort(by);
    try {
      await this.whileBusy(async () => {
        await this.session.patch({ viewSort: sort && [sort] });
        await this.view.settled();
      });
      columns.sort = sort;
      this.setColumns();
      announce(sort ? `Sorted by ${title}, ${sort.direction}.` : "In the order of the tree.");
    } catch (error) {
      showError(error, "The rows were not sorted.");
    }
  }
  #mark;
  #height = 0;

  /** Draws all rows anew. */
  redraw() {
    if (!this.#list) return;
    for (const element of this.#scroller.querySelectorAll("[role=row]")) {
      if (element.parts) this.#prepare(element);
      element.row = element.index = undefined;
    }
    this.#list.render();
  }

  // Drawing

  #prepare(element) {
    const part = (name) => make("span", { class: name, "aria-hidden": "true" });
    const fresh = () => ({ name: make("div", { role: "gridcell", class: "cell name" }),
      check: part("check"), twist: part("twist"), label: make("span", { class: "label" }),
      badge: make("span", { class: "badge" }) });
    // A name that is being edited stays, and with it the focus.
    const parts = element.classList.contains("editing") ? { ...element.parts } : fresh();
    const { name, check, twist, label, badge } = parts;
    if (name.parentNode !== element) {
      name.append(check, twist, label, badge);
      element.replaceChildren(name);
    }
    while (name.nextSibling) name.nextSibling.remove();
    parts.cells = this.shown.map((pointer) => make("div", { role: "gridcell",
      class: `cell ${this.app.columns.numeric.has(pointer) ? "numeric" : ""}` }));
    parts.count = this.hasCounts
      ? make("div", { role: "gridcell", class: "cell numeric count" }) : undefined;
    element.append(...parts.cells, ...(parts.count ? [parts.count] : []));
    element.parts = parts;
    element.setAttribute("role", "row");
  }

  #draw(element, row, index) {
    if (!element.parts) this.#prepare(element);
    const set = (name, value) => {
      if (value === undefined || value === null) element.removeAttribute(name);
      else if (element.getAttribute(name) !== String(value)) element.setAttribute(name, value);
    };
    set("aria-rowindex", index + 2);
    const before = element.row;
    this.#fill(element, row);
    set("aria-level", row && row.depth + 1);
    this.#showPlace(element, row?.key);
    set("aria-expanded", row && row.childState !== "leaf" ? row.expanded : undefined);
    set("aria-selected", row ? row.selected : "false");
    set("aria-busy", row ? undefined : "true");
    set("tabindex", row?.key === this.active ? 0 : -1);
    const is = { placeholder: !row, active: row?.key === this.active, matched: row?.matched };
    for (const state of Object.keys(is)) element.classList.toggle(state, Boolean(is[state]));
    if (before?.key !== row?.key) element.classList.remove("flash", "dragged", "pending");
    if (row && this.#isNews(before, row)) this.#flash(element);
  }

  #showPlace(element, key) {
    const place = this.app.surroundings.placeOf(key);
    if (place) {
      element.setAttribute("aria-posinset", place.position + 1);
      element.setAttribute("aria-setsize", place.siblingCount);
    } else {
      element.removeAttribute("aria-posinset");
      element.removeAttribute("aria-setsize");
    }
  }

  #fill(element, row) {
    const { parts } = element, { columns } = this.app;
    const text = (part, value) => {
      if (part.textContent !== value) part.textContent = value;
    };
    element.style.setProperty("--depth", Math.min(row?.depth ?? 0, 24));
    element.dataset.state = !row ? "" : row.childState === "leaf" ? "leaf"
      : row.childState === "loaded" || !row.expanded ? (row.expanded ? "open" : "closed")
      : row.childState;
    text(parts.label, row ? columns.nameOf(row) : "Loading…");
    text(parts.badge, row?.section !== undefined && row.depth === 0 ? row.section : "");
    for (const [i, pointer] of this.shown.entries()) {
      text(parts.cells[i], row ? columns.textOf(row, pointer) : "");
    }
    if (parts.count) {
      text(parts.count, !row || row.childState === "leaf" ? "" : grouped(row.childCount ?? "?"));
    }
  }

  /** Returns true if another client changed a visible row, or inserted it. */
  #isNews(before, row) {
    const hasMoved = this.#hasMoved || this.#awaitsRows || this.#list?.top !== this.#lastTop;
    if (before?.key !== row.key) return !hasMoved && !this.#known.has(row.key);
    return before !== row && JSON.stringify(before.object) !== JSON.stringify(row.object);
  }

  /** Shows the name that a row has, in place of one that was to be saved. */
  settleName(element) {
    const { row } = element;
    element.classList.remove("pending");
    if (row && element.parts) element.parts.label.textContent = this.app.columns.nameOf(row);
  }

  #flash(element) {
    element.classList.remove("flash");
    void element.offsetWidth;
    element.classList.add("flash");
  }

  #rendered(list) {
    const { view } = this;
    let busy = false;
    // A name that is edited stays in its place, also where rows are inserted before the first one.
    const edited = this.app.edits.naming.key, at = view.indexOf(edited);
    if (at >= list.first && at <= list.last) view.anchor = edited;
    this.#known.clear();
    for (let index = list.first; index <= list.last; index++) {
      const row = view.row(index);
      if (row) this.#known.add(row.key);
      else busy = true;
    }
    // Rows that appear because the user scrolled or expanded are not marked as new.
    this.#awaitsRows &&= busy;
    if (list.top !== this.#lastTop || this.#awaitsRows) this.hasMoved();
    this.#lastTop = list.top;
    const selected = this.app.session.description?.selection !== "none";
    this.grid.classList.toggle("selectable", selected);
    this.#lacksRows = busy;
    this.#showBusy();
    clearTimeout(this.#loading);
    if (busy) this.#loading = setTimeout(() => announce("Loading rows…"), 1000);
    this.#nothing.hidden = view.rowCount > 0 || view.revision === undefined;
    this.#nothing.textContent = this.app.isFiltered ? "No row matches the filter."
      : this.app.nodeCount > 0 ? "All sections are collapsed." : "This tree has no nodes yet.";
    if (this.#rowCount !== view.rowCount) {
      this.#rowCount = view.rowCount;
      this.grid.setAttribute("aria-rowcount", view.rowCount + 1);
    }
    if (this.active === undefined && view.row(list.first)) {
      this.activate(view.row(list.first), { focus: false, index: list.first });
    }
    this.#keepFocus();
    this.#drawSticky(list);
    this.#findPlaces();
    this.app.rendered?.(list);
  }
  #loading;

  #row(key) {
    return this.view.row(this.view.indexOf(key)) ?? this.app.surroundings.ancestor(key);
  }

  /** Returns the known ancestors of a row, the nearest first. */
  ancestorsOf(row) {
    const chain = [];
    for (let at = row; at?.parent != null && chain.length < 200;) {
      at = this.#row(at.parent);
      if (at) chain.push(at);
    }
    return chain;
  }

  /** Shows the ancestors of the first visible rows above them. */
  #drawSticky({ top, last }) {
    const { view } = this, shown = [];
    const most = Math.min(MOST_STICKY, Math.floor(this.#height / ROW_HEIGHT / 3));
    while (shown.length < most) {
      const level = shown.length, index = Math.floor((top + level * ROW_HEIGHT) / ROW_HEIGHT);
      const row = index <= last ? view.row(index) : undefined;
      if (!row || row.depth <= level) break;
      const ancestor = this.ancestorsOf(row)[row.depth - 1 - level];
      if (!ancestor || ancestor.depth !== level) break;
      shown.push(ancestor);
    }
    this.sticky = shown.length;
    while (this.#sticky.children.length > shown.length) this.#sticky.lastChild.remove();
    shown.forEach((row, i) => {
      const element = this.#sticky.children[i]
        ?? this.#sticky.appendChild(make("div", { class: "row" }));
      const mark = `${this.#mark}${row.key}`;
      if (element.row === row && element.mark === mark) return;
      if (element.mark !== mark) this.#prepare(element);
      element.removeAttribute("role");
      for (const cell of element.querySelectorAll("[role]")) cell.removeAttribute("role");
      Object.assign(element, { row, mark });
      element.dataset.key = row.key;
      this.#fill(element, { expanded: true, childState: "loaded", ...row });
    });
  }

  /** Records that the user brings other rows into view. */
  hasMoved() {
    this.#hasMoved = this.#awaitsRows = true;
    clearTimeout(this.#resting);
    this.#resting = setTimeout(() => {
      if (this.session.writing > 0) this.hasMoved();
      else this.#hasMoved = false;
    }, 400);
  }

  #resting;
  #awaitsRows = false;

  // Changes by others

  #changed({ shift }) {
    this.#lastTop += shift * ROW_HEIGHT;
    const index = this.view.indexOf(this.active);
    this.#waitsForRow?.();
    if (index >= 0) this.activeIndex = index;
    else if (this.active !== undefined) this.#checkActive();
  }

  /**
   * Activates an ancestor of the active row that is seen, or the row in its place, if it is gone.
   * Nothing scrolls, for the user may look at something else.
   */
  async #checkActive() {
    const { view, session, active } = this, { revision } = view;
    if (revision === undefined || revision === this.#checked) return;
    this.#checked = revision;
    const known = await this.#find(active);
    if (known === undefined) return;
    if (known !== null && known.index !== null) return void (this.activeIndex = known.index);
    let index = -1;
    if (known !== null) {
      const query = { fields: "index,key", attempts: 1 };
      const { ancestors } = await session.listAncestors(active, query)
        .catch(() => ({ ancestors: [] }));
      index = ancestors.findLast((row) => row.index !== null)?.index ?? -1;
    }
    if (this.active !== active) return;
    this.app.edits.naming.abandon(active);
    const focus = this.hasFocus;
    const first = this.#list.first + this.sticky, { last } = this.#list;
    if (index < first || index > last) index = Math.max(first, Math.min(this.activeIndex, last));
    if (view.rowCount === 0) this.active = undefined;
    else await this.goTo(index, { focus });
    this.#list.render();
  }
  #checked;

  /** Reads positions among siblings again, at most once a second: other rows may change them. */
  #findPlaces() {
    const { first } = this.#list, { revision, status } = this.view, row = this.view.row(first);
    // Rows that came with an answer have neither places nor ancestors yet.
    const isKnown = !row || row.key === this.#placesFor || (this.app.surroundings.placeOf(row.key)
      && this.ancestorsOf(row).length === row.depth);
    if (this.#placing || !/live|polling/.test(status)) return;
    if (isKnown && revision === this.#placesAt) return;
    this.#placing = setTimeout(async () => {
      const { first, last } = this.#list;
      this.#placesAt = this.view.revision;
      this.#placesFor = this.view.row(first)?.key;
      try {
        const hasAncestors = this.view.row(first)?.depth > 0;
        const keys = await this.app.surroundings.read(first, last, hasAncestors);
        this.#drawSticky(this.#list);
        for (const key of keys) {
          const element = this.#list.elementOf(key);
          if (element) this.#showPlace(element, key);
        }
        this.app.rendered?.();
      } catch {
        // The next change tries again.
      } finally {
        this.#placing = undefined;
      }
    }, this.#hasMoved ? 200 : 1000);
  }
  #placing;
  #placesFor;

  // Actions of keys and clicks

  /**
   * Performs an action after the actions before it, on the rows that result from them. An action
   * that only `leads` to another row does not wait until the row of an earlier one is read. Without
   * a connection, it waits for nothing.
   */
  perform(action, { leads = false } = {}) {
    const isCutOff = leads && /offline|failed/.test(this.view.status);
    const act = async () => {
      try {
        if (!leads) await this.#arriving;
        const acted = action();
        if (leads) this.#arriving = Promise.resolve(acted).catch(() => {});
        else await acted;
      } catch (error) {
        this.app.failed(error);
      } finally {
        this.#waiting--;
      }
    };
    this.#waiting++;
    const acted = isCutOff ? act() : this.#performed.then(act);
    this.#performed = Promise.all([this.#performed, acted]);
    return acted;
  }
  #performed = Promise.resolve();
  #arriving;
  #waiting = 0;

  get isBusy() { return this.#waiting > 0; }

  // Moving about

  get pageRows() {
    return Math.max(1, Math.floor(this.#scroller.clientHeight / ROW_HEIGHT) - 1 - this.sticky);
  }

  get activeRow() {
    const index = this.view.indexOf(this.active);
    return this.view.row(index) ?? this.#list.elementOf(this.active)?.row;
  }

  rowOf(target) { return target.closest?.("[role=row]")?.row; }
  elementOf(key) { return this.#list.elementOf(key); }
  get scroller() { return this.#scroller; }
  get list() { return this.#list; }
  rowAt(y) { return this.view.row(this.#list.indexAt(y)); }

  /** Returns the ancestor that covers rows at a place, and how far it is below the top. */
  coverAt(y) {
    const level = Math.floor((y - this.#scroller.getBoundingClientRect().top) / ROW_HEIGHT);
    const row = this.#sticky.children[level]?.row;
    return row && { row, at: level * ROW_HEIGHT };
  }

  /** Makes a row the active one. */
  activate(row, { focus = true, index = this.view.indexOf(row.key) } = {}) {
    // A row that has just come is not drawn yet.
    if (this.#list && !this.#list.elementOf(row.key)) this.#list.render();
    const before = this.#list?.elementOf(this.active);
    if (before && row.key !== this.active) {
      before.tabIndex = -1;
      before.classList.remove("active");
    }
    this.active = row.key;
    if (index >= 0) this.activeIndex = index;
    const element = this.#list?.elementOf(row.key);
    if (element) {
      element.tabIndex = 0;
      element.classList.add("active");
      if (focus) element.focus({ preventScroll: true });
    }
    this.app.activated?.(row);
  }

  /** Scrolls until a row is seen, below its ancestors. */
  show(index, { centered = false } = {}) {
    const height = this.#scroller.clientHeight, { top } = this.#list;
    const depth = Math.min(this.view.row(index)?.depth ?? this.sticky ?? 0, MOST_STICKY,
      Math.floor(height / ROW_HEIGHT / 3));
    const above = index - depth, below = index + 1 - height / ROW_HEIGHT;
    const isSeen = above * ROW_HEIGHT >= top && below * ROW_HEIGHT <= top;
    if (isSeen) return;
    const middle = index - height / ROW_HEIGHT / 2;
    this.#list.scrollTo(Math.max(0, centered ? middle : above * ROW_HEIGHT < top ? above : below));
  }

  /** Activates the row at an index, once it is read. */
  async goTo(index, options = {}) {
    const { view } = this, { focus = true } = options;
    if (view.rowCount === 0) return undefined;
    index = Math.max(0, Math.min(index, view.rowCount - 1));
    this.pending = index;
    this.show(index, options);
    const row = view.row(index) ?? await this.#arrival(index);
    if (this.pending !== index) return undefined;
    this.pending = undefined;
    if (!row) return undefined;
    // The depth of the row, and so the height of its ancestors, may have been unknown.
    this.show(index, options);
    this.activate(row, { focus, index });
    return row;
  }

  #arrival(index) {
    this.#waitsForRow?.(true);
    return new Promise((resolve) => {
      this.#waitsForRow = (ends = false) => {
        const row = this.view.row(index);
        if (!row && !ends && index < this.view.rowCount) return;
        this.#waitsForRow = undefined;
        resolve(row);
      };
    });
  }

  /** Moves the active row by a number of rows. */
  async move(by) {
    const from = this.pending ?? await this.locate();
    return this.goTo(from + by);
  }

  /** Returns the index of a row, which need not be held; for a hidden row, the active index. */
  async locate(key = this.active) {
    return await this.indexOf(key) ?? this.activeIndex;
  }

  /** Returns the index of a row, which need not be held; null if it is hidden. */
  async indexOf(key) {
    const index = this.view.indexOf(key);
    if (key === undefined) return null;
    return index >= 0 ? index : (await this.#find(key))?.index ?? null;
  }

  /** Reads a node that is not held; null if there is none, undefined without an answer. */
  async #find(key) {
    const query = { keys: [key], fields: ["key", "index"] };
    const { nodes: [row] } = await this.session.getNodes(query, { attempts: 1 })
      .catch(() => ({ nodes: [] }));
    return row;
  }

  /** Expands the ancestors of a node, and goes to it. */
  async goToKey(key, { focus = true } = {}) {
    const held = this.view.indexOf(key);
    if (held >= 0) return this.goTo(held, { focus });
    this.hasMoved();
    const answer = await this.session.reveal(key, {}, { attempts: 3 });
    await this.view.settled();
    return this.goTo(answer.index ?? 0, { centered: true, focus });
  }

  // Actions on rows

  open(row) { this.app.opened?.(row); }

  /** Expands or collapses a row. */
  async toggle(asked) {
    const { key } = asked, row = this.view.row(this.view.indexOf(key)) ?? asked;
    if (row.childState === "leaf") return;
    // A row that collapses takes the focus of the rows inside.
    const active = this.activeRow;
    if (row.expanded && active && this.ancestorsOf(active).some((row) => row.key === key)) {
      this.activate(row, { focus: this.grid.contains(document.activeElement) });
    }
    const answer = await this.app.write([{ op: row.expanded ? "collapse" : "expand", key }]);
    if (!answer) return;
    if (answer.unloaded?.length > 0) announce("Nobody has supplied the children yet.");
    else announce(`${row.expanded ? "Collapsed" : "Expanded"}, ${count(answer.rowCount, "row")}.`);
  }

  #clicked(event) {
    const { target } = event, row = this.rowOf(target);
    if (!row || target.closest("input")) return;
    if (target.closest(".twist")) {
      this.activate(row);
      this.perform(() => this.toggle(row));
      return;
    }
    const from = this.active;
    this.activate(row);
    const toggles = event.ctrlKey || event.metaKey || target.closest(".check");
    this.perform(() => event.shiftKey ? this.app.selection.selectRange(from, row)
      : this.app.selection.select(row, toggles ? "toggle" : "only"));
  }
}
