// The explorer: opens, follows and shows the tree that its address names.

import { Columns } from "./columns.js";
import { Drag } from "./drag.js";
import { Edits } from "./edits.js";
import { Finder } from "./finder.js";
import { Inspector } from "./inspector.js";
import { ask, clearErrors, count, find, grouped, make, showError } from "./messages.js";
import { client, named, open, requests, url } from "./opening.js";
import { Start } from "./start.js";
import { TreeGrid } from "./treegrid.js";

const SAMPLE_ROWS = 50;
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

  /** Opens a session, and shows its rows. */
  async open(wanted) {
    const { signal } = this.closing;
    Object.assign(this, await open(this.tree));
    if (signal.aborted) return this.close();
    const { session, surroundings, view } = this;
    surroundings.told = ({ nodeCount }) => {
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
    this.nodeCount = session.description.nodeCount;
    this.mayWrite = session.description.access === "write";
    for (const button of document.querySelectorAll("[data-writes]")) {
      button.disabled = !this.mayWrite;
    }
    this.label = `Rows of ${this.tree}`;
    await isThere;
    if (signal.aborted || view.error) return;
    this.#showGrid();
    await view.settled().catch(() => {});
    if (signal.aborted || view.error) return;
    if (wanted !== null) await this.goTo(wanted);
    else if (view.rowCount === 1) await this.#expandOnly();
  }

  #showGrid() {
    const rows = [];
    for (let row; rows.length < SAMPLE_ROWS && (row = this.view.row(rows.length));) rows.push(row);
    this.columns = new Columns(rows);
    this.edits = new Edits(this);
    this.finder = new Finder(this);
    this.grid = new TreeGrid(find("grid"), this);
    this.inspector = new Inspector(this);
    this.drag = new Drag(this);
    this.#connectTools();
    this.#showStatus();
    this.#learnColumns(rows).catch(() => {});
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

  close() {
    this.closing.abort();
    if (!this.session) return;
    this.grid?.close();
    this.session.close();
    this.session.deleteSession({ attempts: 1 }).catch(() => {});
  }

  // Callbacks of the grid

  activated(row) {
    this.inspector?.show(row);
    clearTimeout(this.#naming);
    this.#naming = setTimeout(() => {
      // A clicked link may have changed the address already.
      if (this.closing.signal.aborted || named().tree !== this.tree) return;
      history.replaceState(null, "", `#${new URLSearchParams({ tree: this.tree, key: row.key })}`);
    }, 300);
  }
  #naming;

  rendered() {
    const { activeRow } = this.grid ?? {};
    if (activeRow) this.inspector?.show(activeRow);
  }

  opened(row) { this.inspector.open(row); }
  failed(error) {
    if (!this.closing.signal.aborted) showError(error);
  }
  get isFiltered() { return this.finder.isFiltered; }

  /**
   * Applies operations, and waits until the rows show them. Gives the answer, or undefined after an
   * error, which is shown.
   */
  async write(operations) {
    try {
      const { signal } = this.closing;
      this.grid.hasMoved();
      const answer = await this.session.batch(operations, { attempts: 3, signal });
      this.nodeCount = answer.nodeCount;
      if (operations.some(({ op }) => /elect/.test(op))) await this.#countSelected();
      this.#showStatus();
      await this.view.settled().catch(() => {});
      return answer;
    } catch (error) {
      this.failed(error);
      return undefined;
    }
  }

  async #countSelected() {
    const { selectedCount } = await this.session.getSession({ attempts: 2 });
    this.selectedCount = selectedCount;
  }

  async goTo(wanted) {
    try {
      await this.grid.goToKey(wanted);
    } catch (error) {
      if (!this.closing.signal.aborted) showError(error, "That node cannot be shown.");
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
    find("columns").addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      this.#showColumns(false);
      find("choose").focus();
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
    const { view } = this, live = find("live");
    if (this.closing.signal.aborted) return;
    // Others may change the number of rows many times a second.
    this.#counting ??= setTimeout(() => this.#showCounts(), 100);
    if (live.dataset.status !== view.status) {
      live.dataset.status = view.status;
      live.textContent = STATUS[view.status];
    }
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
    if (isGone) restart(this.grid?.active);
    else showError(error, "The rows cannot be followed any more.");
  }
}

/** Remembers the last change, to show it as a command line. */
requests.sent = (address, init) => {
  const changes = /\/batch\?/.test(address) || init.method === "PATCH";
  if (changes && !/dryRun/.test(address)) {
    explorer?.inspector?.changed({ method: init.method, url: address, body: init.body,
      type: init.headers["Content-Type"], authorized: Boolean(init.headers.Authorization) });
  }
};

const start = new Start(client, (tree) => (location.hash = new URLSearchParams({ tree })));
let explorer;

/** Opens the tree again, at the same row. */
async function restart(active) {
  const { tree } = explorer;
  explorer.close();
  await openTree(tree, active ?? null);
}

async function openTree(tree, wanted) {
  explorer?.close();
  const opened = explorer = new Explorer(tree);
  show("tree", tree);
  try {
    await withKey(() => opened.open(wanted));
    if (wanted === null) opened.grid?.focus();
  } catch (error) {
    if (opened.closing.signal.aborted) return;
    showError(error, `${tree} cannot be opened.`);
    if (error.code === "tree-not-found") location.hash = "";
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
  explorer?.close();
  explorer = undefined;
  show("home", "");
  try {
    await withKey(() => start.show());
  } catch (error) {
    showError(error, "The trees cannot be listed.");
  }
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

addEventListener("hashchange", route);
addEventListener("pagehide", ({ persisted }) => {
  if (!persisted) explorer?.close();
});
route();
