// The first page: a list of trees, and new trees from a sample or a file.

import { FileError, piecesOf } from "./convert.js";
import { announce, ask, clearErrors, count, find, grouped, make, showError } from "./messages.js";
import { sampleLines } from "./sample.js";

export class Start {
  #client;
  #open;
  #after;
  #job;

  /** @param open Called with the id of the tree to show. */
  constructor(client, open) {
    this.#client = client;
    this.#open = open;
    find("more").addEventListener("click", () =>
      this.show(this.#after).catch((error) => showError(error, "There is no more to show.")));
    find("stop").addEventListener("click", () => this.#job?.abort());
    find("sample").addEventListener("submit", (event) => {
      event.preventDefault();
      const size = Number(find("size").value);
      this.#make("sample", size, async function* () {
        let made = 0;
        for (const { lines, nodes } of sampleLines(size)) {
          made += nodes;
          yield { lines, done: made / size };
        }
      });
    });
    find("file").addEventListener("change", ({ target }) => {
      if (target.files[0]) this.#import(target.files[0]);
      target.value = "";
    });
    this.#acceptDrops();
  }

  /** Shows the first trees, or more trees after a given one. */
  async show(after) {
    const { trees, next } = await this.#client.listTrees({ limit: 100, after, attempts: 3 });
    const items = trees.map((tree) => this.#item(tree));
    if (after) find("trees").append(...items);
    else find("trees").replaceChildren(...items);
    this.#after = next;
    find("more").hidden = !next;
    find("no-trees").hidden = find("trees").children.length > 0;
  }

  #item({ tree, nodeCount, revision }) {
    const link = make("a", { href: `#${new URLSearchParams({ tree })}` }, tree);
    const remove = make("button", { class: "quiet", "aria-label": `Delete ${tree}`,
      title: "Delete" }, make("span", { class: "icon bin", "aria-hidden": "true" }));
    const item = make("li", {}, make("span", { class: "icon tree", "aria-hidden": "true" }), link,
      make("span", { class: "number" }, count(nodeCount, "node")),
      make("span", { class: "number wide" }, `revision ${grouped(revision)}`), remove);
    remove.addEventListener("click", async () => {
      const sure = await ask({ title: `Delete ${tree}?`, action: "Delete", danger: true,
        text: `It has ${count(nodeCount, "node")}. Its sessions end. This cannot be undone.` });
      if (!sure) return;
      try {
        await this.#client.deleteTree(tree);
        item.remove();
        find("no-trees").hidden = find("trees").children.length > 0;
        announce(`${tree} is deleted.`);
      } catch (error) {
        showError(error, `${tree} cannot be deleted.`);
      }
    });
    return item;
  }

  #acceptDrops() {
    const home = find("home"), drop = find("drop");
    const over = (event) => {
      if (!event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      drop.classList.add("over");
    };
    home.addEventListener("dragenter", over);
    home.addEventListener("dragover", over);
    home.addEventListener("dragleave", ({ relatedTarget }) => {
      if (!home.contains(relatedTarget)) drop.classList.remove("over");
    });
    home.addEventListener("drop", (event) => {
      drop.classList.remove("over");
      const file = event.dataTransfer?.files[0];
      if (!file) return;
      event.preventDefault();
      this.#import(file);
    });
  }

  #import(file) {
    const name = file.name.replace(/\.[^.]*$/, "").replace(/[^\w.-]+/g, "-").slice(0, 40);
    this.#make(name.replace(/^[^A-Za-z0-9]+/, "") || "file", file.size, () => piecesOf(file));
  }

  /** Creates a tree from pieces, shows the progress, and opens it. After an error it is deleted. */
  async #make(name, size, pieces) {
    if (this.#job) return showError("Another tree is being made; wait for it, or cancel it.");
    clearErrors();
    const { signal } = this.#job = new AbortController();
    let tree, made = 0;
    this.#progress(`Making ${name}…`, 0);
    find("progress").scrollIntoView({ block: "nearest" });
    try {
      tree = await this.#create(name, signal);
      for await (const { lines, first = 1, done } of pieces()) {
        signal.throwIfAborted();
        const answer = await this.#send(tree, lines, first, signal);
        made = answer.nodeCount;
        this.#progress(`${tree}: ${count(made, "node")}`, done);
      }
      if (made === 0) throw new FileError("The file has no nodes.");
      announce(`${tree} has ${count(made, "node")}.`);
      this.#open(tree);
    } catch (error) {
      if (tree) await this.#client.deleteTree(tree, { attempts: 3 }).catch(() => {});
      if (!signal.aborted) showError(error, `${name} was not made.`);
      else announce("Cancelled.");
    } finally {
      this.#job = undefined;
      find("progress").hidden = true;
    }
  }

  async #send(tree, lines, first, signal) {
    try {
      return await this.#client.importNodes(tree, lines, { signal });
    } catch (error) {
      if (!(error.line > 0)) throw error;
      throw new FileError(error.detail.replace(/^Line \d+ /, "this "), error.line + first - 1);
    }
  }

  /** Creates a tree. If its name is in use, a number is appended. */
  async #create(name, signal) {
    for (let number = 1; ; number++) {
      try {
        const tree = number === 1 ? name : `${name}-${number}`;
        return (await this.#client.createTree({ tree }, { signal })).tree;
      } catch (error) {
        if (error.code !== "tree-exists" || number > 1000) throw error;
      }
    }
  }

  #progress(text, done) {
    find("progress").hidden = false;
    find("doing").textContent = text;
    find("bar").value = done;
  }
}
