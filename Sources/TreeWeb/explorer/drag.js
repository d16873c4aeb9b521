// Moving rows with the pointer: before, into or after another one.

import { count, inWords, make, showError } from "./messages.js";
import { ROW_HEIGHT } from "./treegrid.js";

const START = 5; // pixels until a press becomes a drag
const HOLD = 400; // milliseconds until a finger that rests drags; one that moves before scrolls
const EDGE = 40; // pixels from an edge where the rows scroll
const OPENS = 700; // milliseconds until a closed row opens

export class Drag {
  #from;
  #state;
  #ghost = make("div", { class: "ghost", "aria-hidden": "true" });
  #mark = make("div", { class: "mark", "aria-hidden": "true" });

  constructor(app) {
    this.app = app;
    const { grid } = app, { signal } = app.closing;
    const on = (element, kind, action, capture) =>
      element.addEventListener(kind, action, { signal, capture });
    on(grid.scroller, "pointerdown", (event) => this.#pressed(event));
    on(window, "pointermove", (event) => this.#moved(event));
    on(window, "pointerup", (event) => this.#released(event));
    on(window, "pointercancel", (event) => this.#isOther(event) || this.#end());
    on(window, "blur", () => this.#end());
    signal.addEventListener("abort", () => this.#end());
    // The rows do not scroll below a finger that drags one, and there is no menu.
    grid.scroller.addEventListener("touchmove", (event) => {
      if (this.#state && event.cancelable) event.preventDefault();
    }, { signal, passive: false });
    on(grid.scroller, "contextmenu", (event) => {
      if (this.#state || this.#from?.isTouch) event.preventDefault();
    });
    on(window, "keydown", (event) => {
      if (event.key !== "Escape" || !this.#state) return;
      event.preventDefault();
      event.stopPropagation();
      this.#end();
    }, true);
    // A drag is no click.
    on(grid.scroller, "click", (event) => {
      if (this.#wasDrag) event.stopPropagation();
    }, true);
  }
  #wasDrag = false;

  #pressed(event) {
    // A second finger ends what the first one began.
    if (this.#from) return this.#end();
    this.#wasDrag = false;
    const row = this.app.grid.rowOf(event.target);
    if (!row || event.button !== 0 || !this.app.mayWrite) return;
    if (event.target.closest(".twist, .check, input")) return;
    const { clientX: x, clientY: y, pointerId: id } = event;
    const isTouch = event.pointerType === "touch";
    const from = this.#from = { row, x, y, id, isTouch };
    if (!isTouch) return;
    from.holds = setTimeout(() => {
      // The active row keeps its element. Without the touched element, the touch would end.
      this.app.grid.activate(row);
      this.#begin(row);
      Object.assign(this.#state, { x, y });
      this.#follow();
    }, HOLD);
  }

  #isOther({ pointerId }) { return this.#from !== undefined && pointerId !== this.#from.id; }

  #moved(event) {
    const { clientX: x, clientY: y } = event, from = this.#from;
    if (!from || this.#isOther(event)) return;
    if (!this.#state && Math.hypot(x - from.x, y - from.y) > START) {
      if (from.isTouch) return this.#end();
      this.#begin(from.row);
    }
    if (!this.#state) return;
    Object.assign(this.#state, { x, y });
    this.#follow();
  }

  async #begin(row) {
    const state = this.#state = { keys: [row.key], row, checks: new Map() };
    this.#wasDrag = true;
    document.body.classList.add("dragging");
    document.body.append(this.#ghost);
    this.app.grid.scroller.append(this.#mark);
    this.#ghost.textContent = this.app.columns.nameOf(row);
    const scroll = () => {
      if (this.#state !== state) return;
      this.#scroll();
      state.frame = requestAnimationFrame(scroll);
    };
    state.frame = requestAnimationFrame(scroll);
    let keys;
    try {
      keys = state.keys = await this.app.selection.keysToMove(row);
    } catch (error) {
      if (this.#state === state) this.#end();
      return showError(error);
    }
    if (keys.length > 1) this.#ghost.textContent = count(keys.length, "node");
    const hidden = await this.app.edits.hiddenOf(keys).catch(() => "");
    if (hidden) this.#ghost.textContent += `, ${hidden}`;
    state.checks.clear();
    if (this.#state !== state) return;
    for (const key of keys) this.app.grid.elementOf(key)?.classList.add("dragged");
    this.#follow();
  }

  /** Scrolls near the edges, the faster the nearer. */
  #scroll() {
    const { scroller, sticky } = this.app.grid, { y } = this.#state;
    const { top, bottom } = scroller.getBoundingClientRect();
    // Ancestors at the top are targets, too.
    const upper = sticky > 0 ? ROW_HEIGHT / 3 : EDGE;
    const by = y < top + upper ? y - top - upper : y > bottom - EDGE ? y - bottom + EDGE : 0;
    if (by === 0 || y === undefined) return;
    scroller.scrollTop += Math.max(-20, Math.min(20, Math.round(by / 2)));
    this.#follow();
  }

  /** Marks the target below the pointer, and asks the service if the move is allowed. */
  #follow() {
    const state = this.#state, { grid } = this.app, { x, y } = state;
    const box = grid.scroller.getBoundingClientRect();
    const inside = x >= box.left && x <= box.right && y >= box.top && y <= box.bottom;
    // An ancestor at the top covers another row.
    const cover = inside ? grid.coverAt(y) : undefined;
    const row = cover?.row ?? (inside ? grid.rowAt(y) : undefined);
    const offset = inside ? (y - box.top + grid.list.top) % ROW_HEIGHT : 0;
    const zone = cover ? "into" : offset < ROW_HEIGHT / 4 ? "before"
      : offset > (ROW_HEIGHT * 3) / 4 ? "after" : "into";
    const button = inside ? null : document.elementFromPoint(x, y)?.closest("[data-section]");
    const section = button?.dataset.section;
    const target = button ? { section, id: `section ${section}` }
      : row && !state.keys.includes(row.key) ? { row, zone, id: `${zone} ${row.key}` } : undefined;
    const id = target?.id;
    if (button !== state.button) state.button?.classList.remove("over");
    button?.classList.add("over");
    state.button = button;
    if (state.opens?.key !== (zone === "into" ? row?.key : undefined)) {
      clearTimeout(state.opens?.timer);
      state.opens = undefined;
      if (target && zone === "into" && !cover && row.childState !== "leaf" && !row.expanded) {
        state.opens = { key: row.key, timer: setTimeout(() => {
          const at = grid.view.indexOf(row.key), now = grid.view.row(at);
          if (now && !now.expanded) grid.perform(() => grid.toggle(now));
        }, OPENS) };
      }
    }
    state.target = target;
    this.#mark.hidden = !row || !target;
    if (row && target) {
      const at = grid.list.indexAt(y) * ROW_HEIGHT - grid.list.top + grid.scroller.scrollTop;
      const holder = cover ? grid.scroller.parentNode : grid.scroller;
      if (this.#mark.parentNode !== holder) holder.append(this.#mark);
      this.#mark.className = `mark ${zone}`;
      this.#mark.style.setProperty("--at", `${cover ? cover.at : at}px`);
      this.#mark.style.setProperty("--depth", Math.min(24, row.depth));
    }
    if (id && !state.checks.has(id)) this.#check(state, id, target);
    this.#tell(id);
  }

  #tell(id) {
    const refusal = id ? this.#state.checks.get(id) : undefined;
    document.body.classList.toggle("refused", !id || Boolean(refusal));
    this.#ghost.dataset.reason = refusal ? inWords(refusal) : "";
    // Above a finger, which would hide it, and not beyond the edges.
    const { x, y } = this.#state, { offsetWidth: width, offsetHeight: height } = this.#ghost;
    const across = Math.max(4, Math.min(x + 12, innerWidth - width - 4));
    const down = this.#from?.isTouch ? y - height - 28 : Math.min(y + 8, innerHeight - height - 4);
    this.#ghost.style.transform = `translate(${across}px, ${Math.max(4, down)}px)`;
  }

  #check(state, id, target) {
    state.checks.set(id, undefined);
    clearTimeout(state.asks);
    state.controller?.abort();
    const { signal } = state.controller = new AbortController();
    state.asks = setTimeout(async () => {
      const refusal = await this.app.edits.refusalOf(this.#operation(state, target), signal);
      if (signal.aborted) return void state.checks.delete(id);
      state.checks.set(id, refusal);
      const { target: now } = state;
      if (this.#state === state && now) this.#tell(now.id);
    }, 60);
  }

  #operation({ keys }, target) {
    return { op: "move", keys, ...this.#place(target) };
  }

  #place({ row, zone, section }) {
    if (section !== undefined) return { parent: null, section };
    if (zone === "into") return { parent: row.key };
    // The place directly after an open row is that before its first child.
    const isOpen = row.expanded && row.childCount > 0;
    if (zone === "after" && isOpen) return { parent: row.key, first: true };
    return { parent: row.parent ?? null, [zone]: row.key };
  }

  #released(event) {
    if (this.#isOther(event)) return;
    const state = this.#state;
    this.#end();
    if (!state?.target) return;
    const refusal = state.checks.get(state.target.id);
    if (refusal) return showError(refusal, "This cannot be moved there.");
    const place = this.#place(state.target);
    this.app.grid.perform(() => this.app.edits.move(state.keys, place));
  }

  #end() {
    clearTimeout(this.#from?.holds);
    this.#from = undefined;
    const state = this.#state;
    if (!state) return;
    cancelAnimationFrame(state.frame);
    clearTimeout(state.opens?.timer);
    clearTimeout(state.asks);
    state.controller?.abort();
    this.#state = undefined;
    document.body.classList.remove("dragging", "refused");
    for (const element of this.app.grid.scroller.querySelectorAll(".dragged")) {
      element.classList.remove("dragged");
    }
    state.button?.classList.remove("over");
    this.#ghost.remove();
    this.#mark.remove();
  }
}
