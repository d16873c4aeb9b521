// The details of the active row, and the requests that read and changed it, to copy.

import { oneLine, seenJSON } from "./columns.js";
import { announce, find } from "./messages.js";

const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

/** Returns a request as a command line. Credentials are named, not shown. */
export function curlOf({ method = "GET", url, body, type, authorized }) {
  const parts = ["curl -s"];
  if (method !== "GET") parts.push(`-X ${method}`);
  if (authorized) parts.push(`-H "Authorization: Bearer $KEY"`);
  if (typeof body === "string") {
    parts.push(`-H ${quoted(`Content-Type: ${type ?? "application/json"}`)}`);
    parts.push(`--data-binary ${quoted(body.length > 4000 ? `${body.slice(0, 4000)}…` : body)}`);
  }
  parts.push(quoted(url.split("?")[0]));
  return seenJSON(parts.length === 2 ? parts.join(" ") : parts.join(" \\\n  "));
}

export class Inspector {
  #shown = [];

  constructor(app) {
    this.app = app;
    const { signal } = app.closing, pane = find("inspector");
    const on = (element, kind, action) => element.addEventListener(kind, action, { signal });
    on(find("inspect"), "click", () => this.#toggle(pane.hidden));
    on(find("close"), "click", () => {
      this.#toggle(false);
      app.grid.focus();
    });
    on(pane, "keydown", ({ key }) => {
      if (key === "Escape") find("close").click();
    });
    for (const button of pane.querySelectorAll("[data-copies]")) {
      on(button, "click", () => this.#copy(button));
    }
    this.#toggle(!pane.hidden);
  }

  get isOpen() { return !find("inspector").hidden; }

  /** Opens the pane and puts the focus there. */
  open(row) {
    this.#toggle(true);
    this.show(row);
    find("json").focus({ preventScroll: true });
  }

  #toggle(isOpen) {
    find("inspector").hidden = !isOpen;
    find("inspect").setAttribute("aria-expanded", isOpen);
    const { grid } = this.app;
    if (!isOpen || !grid?.activeRow) return;
    this.show(grid.activeRow);
    // The pane may cover the row.
    grid.show(grid.activeIndex);
  }

  show(row) {
    if (!this.isOpen || !row) return;
    const { columns, grid, session, surroundings, url } = this.app;
    const place = surroundings.placeOf(row.key), ancestors = grid.ancestorsOf(row).reverse();
    // The position and the ancestors of a row may become known later than the row.
    const shown = [row, place, ...ancestors];
    if (shown.length === this.#shown.length && shown.every((x, i) => x === this.#shown[i])) return;
    this.#shown = shown;
    const key = encodeURIComponent(row.key);
    const texts = {
      about: columns.nameOf(row),
      path: [...ancestors.map((above) => columns.nameOf(above)), oneLine(row.key)].join(" / "),
      json: seenJSON(JSON.stringify({ ...row, ...place }, null, 2)),
      curl: curlOf({ url: `${url}/v1/sessions/${session.id}/nodes/${key}`,
        authorized: Boolean(session.secret) }),
    };
    for (const [id, text] of Object.entries(texts)) {
      // An unchanged text is not set again, so that a selection in it stays.
      if (find(id).textContent !== text) find(id).textContent = text;
    }
  }

  /** Shows the request of the last change from this page. */
  changed(request) {
    find("last").textContent = curlOf(request);
  }

  async #copy(button) {
    const text = find(button.dataset.copies).textContent;
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      // Without a secure context there is the old way.
      getSelection().selectAllChildren(find(button.dataset.copies));
      document.execCommand("copy");
    }
    button.textContent = "Copied";
    announce("Copied.");
    setTimeout(() => (button.textContent = "Copy"), 1500);
  }
}
