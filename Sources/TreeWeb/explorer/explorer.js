// The explorer: opens, follows and shows the tree that its address names.

import { Columns } from "./columns.js";
import { Drag } from "./drag.js";
import { Edits, RANGE } from "./edits.js";
import { Finder } from "./finder.js";
import { Inspector } from "./inspector.js";
import { announce, ask, clearErrors, count, find, grouped, make, showError } from "./messages.js";
import { showNote } from "./messages.js";
import { client, named, open, requests, url } from "./opening.js";
import { Sections } from "./sections.js";
import { Selection } from "./selection.js";
import { Start } from "./start.js";
import { TreeGrid } from "./treegrid.js";

const SAMPLE_ROWS = 50;
const STEADY = 1000; // milliseconds without a change until the state of the session is kept
const STATUS = {
  loading: "Loading", live: "Live", polling: "Polling", paused: "Paused", offline: "Offline",
  failed: "Ended",
};

/** The explorer of one tree. */
class Explorer {
  closing = new AbortController();
  selectedCount = 0;
  nodeCount = 0;
  url = url;

  constructor(tree) {
    this.tree = tree;
  }

  /** Opens a session, and shows its rows; those of an earlier session that ended if it is given. */
  async open(wanted, earlier) {
    const { signal } = this.closing;
    Object.assign(this, { wanted }, await open(this.tree, earlier?.state));
    if (signal.aborted) return this.close();
    const { session, surroundings, view } = this;
    surroundings.told = ({ nodeCount }) => {
      // Nodes that others delete are selected no more.
      if (nodeCount < this.nodeCount && this.selectedCount > 0) this.#countSelected();
      this.nodeCount = nodeCount;
      this.#showStatus();
    };
    const isThere = new Promise((resolve) => {
      const look = () => {
        this.#showStatus();
        if (view.revision !== undefined || view.error) resolve();
      };
      signal.addEventListener("abort", resolve);
      view.subscribe(look);
      look();
    });
    this.#state = earlier?.state;
    this.selectedCount = session.description.selectedCount;
    this.nodeCount = session.description.nodeCount;
    this.mayWrite = session.description.access === "write";
    for (const button of document.querySelectorAll("[data-writes]")) {
      button.disabled = !this.mayWrite;
    }
    this.label = `Rows of ${this.tree}`;
    await isThere;
    if (signal.aborted || view.error) return;
    this.#showGrid(earlier);
    await view.settled().catch(() => {});
    if (signal.aborted || view.error) return;
    if (earlier) await this.#continue(earlier);
    else if (wanted !== null) await this.goTo(wanted);
    else if (view.rowCount === 1) await this.#expandOnly();
  }

  #showGrid(earlier) {
    const rows = [];
    for (let row; rows.length < SAMPLE_ROWS && (row = this.view.row(rows.length));) rows.push(row);
    this.columns = earlier?.columns ?? new Columns(rows);
    this.edits = new Edits(this, earlier?.edits);
    this.selection = new Selection(this);
    this.sections = new Sections(this);
    this.finder = new Finder(this, earlier?.finder);
    this.grid = new TreeGrid(find("grid"), this);
    this.inspector = new Inspector(this);
    this.drag = new Drag(this);
    this.#connectTools();
    this.#showStatus();
    if (!earlier) this.#learnColumns(rows).catch(() => {});
  }

  async #expandOnly() {
    const row = this.view.row(0);
    const isClosed = row && row.childState !== "leaf" && !row.expanded;
    if (isClosed) await this.write([{ op: "expand", key: row.key }]);
  }

  /** Reads some rows of each of the levels below, for more columns. */
  async #learnColumns(nodes) {
    const { tree } = this, { signal } = this.closing, all = [];
    for (let level = 0; level < 4; level++) {
      const parent = nodes.find((node) => node.childState === "loaded" && node.childCount > 0);
      if (!parent) break;
      ({ nodes } = await client.listTreeRoots(tree, { parent: parent.key, limit: SAMPLE_ROWS,
        attempts: 3, signal }));
      all.push(...nodes);
    }
    if (signal.aborted) return;
    this.columns.learn(all);
    this.grid.setColumns();
  }

  // Sessions that end

  /** Keeps the state of the session once changes rest, for another one if this one ends. */
  keep() {
    clearTimeout(this.#keeping);
    this.#keeping = setTimeout(async () => {
      const { session, closing: { signal } } = this;
      // Its keys may be many.
      if (signal.aborted || this.selectedCount > RANGE) return;
      this.#state = await session.getState({ attempts: 1, signal }).catch(() => this.#state);
    }, STEADY);
  }
  #keeping;
  #state;

  /** The state to continue in another session; undefined if no rows were shown. */
  get shown() {
    const { columns, edits, finder, grid, view } = this;
    if (!grid) return undefined;
    const { active } = grid, at = document.activeElement, filter = finder.applied;
    const { filterExpansion, filterToggledKeys, filterCollapsedSections, ...state } =
      this.#state ?? { expansion: "none", idleTimeoutSeconds: 3600 };
    return { columns, edits, finder, active, top: view.row(grid.list.first)?.key,
      hasFocus: grid.hasFocus || at === find("reconnect"), unsaved: edits.naming.unsaved,
      state: { ...(filter ? this.#state : state), filter,
        viewSort: columns.sort && [columns.sort] } };
  }

  async #continue({ active, top, hasFocus, unsaved }) {
    const { edits, grid, view } = this, first = top === undefined ? null : await grid.indexOf(top);
    if (first !== null) grid.list.scrollTo(first);
    const index = await grid.indexOf(active);
    if (index !== null) await grid.goTo(index, { focus: hasFocus });
    else if (hasFocus) grid.focus();
    const named = unsaved && view.row(view.indexOf(unsaved.key));
    if (named) await edits.naming.rename(named, unsaved);
    showNote("The session had ended. Another one was opened, at the same place.");
  }

  close() {
    clearTimeout(this.#keeping);
    this.closing.abort();
    if (!this.session) return;
    this.grid?.close();
    this.session.close();
    this.session.deleteSession({ attempts: 1 }).catch(() => {});
  }

  // Callbacks of the grid

  activated(row) {
    this.inspector?.show(row);
    this.sections.activated(row);
    clearTimeout(this.#naming);
    this.#naming = setTimeout(() => {
      // A clicked link may have changed the address already.
      if (this.closing.signal.aborted || named().tree !== this.tree) return;
      history.replaceState(null, "", `#${new URLSearchParams({ tree: this.tree, key: row.key })}`);
    }, 300);
  }
  #naming;

  rendered() {
    this.sections.update();
    const { activeRow } = this.grid ?? {};
    if (activeRow) this.inspector?.show(activeRow);
  }

  opened(row) { this.inspector.open(row); }
  failed(error, title) {
    if (!this.closing.signal.aborted) showError(error, title);
  }
  get isFiltered() { return this.finder.isFiltered; }

  /**
   * Applies operations, and waits until the rows show them. Gives the answer, or undefined after an
   * error, which is shown below a title.
   */
  async write(operations, title) {
    try {
      return await this.apply(operations);
    } catch (error) {
      this.failed(error, title);
      return undefined;
    }
  }

  /** Applies operations, and waits until the rows show them. */
  async apply(operations, options) {
    const { signal } = this.closing;
    this.grid.hasMoved();
    return this.grid.whileBusy(async () => {
      const answer = await this.session.batch(operations, { attempts: 3, signal, ...options });
      this.nodeCount = answer.nodeCount;
      if (operations.some(({ op }) => /elect|remove/.test(op))) await this.#countSelected();
      this.#showStatus();
      await this.view.settled().catch(() => {});
      return answer;
    });
  }

  async #countSelected() {
    const { session, closing: { signal } } = this;
    const counted = await session.getSession({ attempts: 2, signal }).catch(() => undefined);
    if (!counted) return;
    this.selectedCount = counted.selectedCount;
    this.#showStatus();
  }

  async goTo(wanted) {
    try {
      await this.grid.goToKey(wanted);
    } catch (error) {
      if (this.closing.signal.aborted) return;
      showError(error, "That node cannot be shown.");
      this.grid.focus();
    }
  }

  // Around the grid

  #connectTools() {
    const { signal } = this.closing;
    const on = (id, action) => find(id).addEventListener("click", action, { signal });
    const does = (id, action) => on(id, () => this.grid.perform(action));
    for (const name of ["add", "rename", "remove"]) does(name, () => this.edits.edit(name));
    does("expand", () => this.write([{ op: "expandAll" }]));
    does("collapse", () => this.write([{ op: "collapseAll" }]));
    on("choose", () => this.#showColumns(find("columns").hidden));
    document.addEventListener("pointerdown", ({ target }) => {
      if (!target.closest("#columns, #choose")) this.#showColumns(false);
    }, { signal });
    document.addEventListener("keydown", ({ key }) => {
      const form = find("columns");
      if (key !== "Escape" || form.hidden) return;
      const hadFocus = form.contains(document.activeElement);
      this.#showColumns(false);
      if (hadFocus) find("choose").focus();
    }, { signal });
    find("columns").addEventListener("focusout", ({ relatedTarget }) => {
      if (relatedTarget && !relatedTarget.closest("#columns, #choose")) this.#showColumns(false);
    }, { signal });
    find("columns").addEventListener("submit", (event) => event.preventDefault(), { signal });
  }

  #showColumns(isOpen) {
    const form = find("columns"), { columns, grid } = this;
    form.hidden = !isOpen;
    find("choose").setAttribute("aria-expanded", isOpen);
    if (!isOpen) return;
    const name = make("input", { value: columns.name, spellcheck: "false" });
    name.addEventListener("change", () => {
      columns.name = name.value.startsWith("/") || name.value === "" ? name.value : "#key";
      name.value = columns.name;
      grid.setColumns();
    });
    const choices = columns.members.map((pointer) => {
      const box = make("input", { type: "checkbox", checked: columns.chosen.includes(pointer) });
      box.addEventListener("change", () => {
        columns.chosen = columns.members.filter((other) =>
          other === pointer ? box.checked : columns.chosen.includes(other));
        grid.setColumns();
      });
      return make("label", {}, box, columns.titleOf(pointer));
    });
    form.replaceChildren(make("label", { class: "pointer" }, "Name (JSON pointer, or #key)", name),
      ...choices);
    name.focus();
  }

  #showStatus() {
    const { view } = this;
    if (this.closing.signal.aborted) return;
    // Others may change the number of rows many times a second.
    this.#counting ??= setTimeout(() => this.#showCounts(), 100);
    if (find("live").dataset.status !== view.status) showLive(view.status);
    if (view.error) this.#ended(view.error);
  }

  #showCounts() {
    this.#counting = undefined;
    if (this.closing.signal.aborted || this.view.revision === undefined) return;
    const rows = count(this.view.rowCount, "row"), nodes = count(this.nodeCount, "node");
    find("rows").textContent = `${rows} of ${nodes}`;
    find("chosen").textContent = this.selectedCount > 0
      ? `${grouped(this.selectedCount)} selected` : "";
  }
  #counting;

  /** Creates a new session if this one has ended, for example by a restart without storage. */
  #ended(error) {
    const isGone = ["session-not-found", "session-expired", "tree-not-found"].includes(error.code);
    if (isGone) restart();
    else showError(error, "The rows cannot be followed any more.");
  }

  /** Tries again at once, and not after a pause. */
  reconnect() {
    if (!this.view || this.view.error) return void restart();
    const live = find("live");
    live.textContent = "Connecting";
    setTimeout(() => {
      if (live.dataset.status === "offline") live.textContent = STATUS.offline;
    }, 2000);
    // The client ends its pauses when the browser tells that it is online.
    dispatchEvent(new Event("online"));
  }
}

/** Shows the state of the connection, and a button where it is lost. */
function showLive(status) {
  const live = find("live"), button = find("reconnect"), isLost = /offline|failed/.test(status);
  live.dataset.status = status;
  live.textContent = STATUS[status];
  const hadFocus = document.activeElement === button;
  button.hidden = !isLost;
  if (hadFocus && !isLost) explorer.grid?.focus();
}

/** Remembers the last change, to show it as a command line. */
requests.sent = (address, init) => {
  const changes = /\/batch\?/.test(address) || init.method === "PATCH";
  if (changes && !/dryRun/.test(address)) {
    explorer?.keep();
    explorer?.inspector?.changed({ method: init.method, url: address, body: init.body,
      type: init.headers["Content-Type"], authorized: Boolean(init.headers.Authorization) });
  }
};

const start = new Start(client, (tree) => (location.hash = new URLSearchParams({ tree })));
let explorer;

/** Opens the tree again, and shows the same. */
async function restart() {
  // What it asks about may be gone. The focus goes back from there first.
  find("dialog").close();
  const { tree, shown, wanted } = explorer;
  await openTree(tree, shown ? shown.active ?? null : wanted ?? null, shown);
}

async function openTree(tree, wanted, earlier) {
  explorer?.close();
  const opened = explorer = new Explorer(tree);
  show("tree", tree);
  find("rows").textContent = find("chosen").textContent = "";
  showLive("loading");
  const slow = setTimeout(() => announce(`Opening ${tree}…`), 1000);
  try {
    await withKey(() => opened.open(wanted, earlier));
    if (wanted === null) opened.grid?.focus();
  } catch (error) {
    if (opened.closing.signal.aborted) return;
    showLive("failed");
    if (error.code !== "tree-not-found") return showError(error, `${tree} cannot be opened.`);
    showError(earlier ? `${tree} is gone: somebody else has deleted it.`
      : `There is no tree ${tree}. It may have been deleted.`);
    location.hash = "";
  } finally {
    clearTimeout(slow);
  }
}

function show(part, title) {
  for (const id of ["home", "tree"]) find(id).hidden = id !== part;
  find("tools").hidden = part !== "tree";
  document.querySelector("footer").hidden = part !== "tree";
  find("title").textContent = title;
  find("title").hidden = !title;
  document.title = part === "tree" ? `${title} – Tree explorer` : "Tree explorer";
}

/** Shows the tree that the address names, or the list of trees. */
async function route() {
  const { tree, key } = named();
  if (tree !== null && tree === explorer?.tree && !explorer.closing.signal.aborted) {
    if (key !== null && key !== explorer.grid?.active) await explorer.goTo(key);
    return;
  }
  if (tree !== null) clearErrors();
  if (tree !== null) return void await openTree(tree, key);
  const cameFromTree = explorer !== undefined;
  explorer?.close();
  explorer = undefined;
  show("home", "");
  try {
    await withKey(() => start.show());
  } catch (error) {
    showError(error, "The trees cannot be listed.");
  }
  if (cameFromTree && document.activeElement === document.body) find("home").focus();
}

/** Performs an action, and asks the user for a key until the service accepts one. */
async function withKey(action) {
  for (let text = "This service asks for a key. It is kept until this page is closed.";;) {
    try {
      return await action();
    } catch (error) {
      if (error.status !== 401) throw error;
      const shown = await ask({ title: "A key is needed", text, action: "Continue", label: "Key",
        type: "password" });
      if (shown === null) throw error;
      requests.key = shown;
      text = "The service does not know this key. Try another one.";
    }
  }
}

find("reconnect").addEventListener("click", () => explorer?.reconnect());
addEventListener("hashchange", route);
addEventListener("pagehide", ({ persisted }) => {
  if (!persisted) explorer?.close();
});
route();
