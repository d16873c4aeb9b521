// Messages to the user: announcements, errors and questions.

export const find = (id) => document.getElementById(id);

/** Texts for errors that the service explains to programs, by their codes. */
const IN_WORDS = {
  "no-answer": "The service does not answer. Try again when it does.",
  "node-not-found": "The node is gone: somebody else has deleted it.",
  "parent-not-found": "The node to put it into is gone: somebody else has deleted it.",
  "anchor-not-a-sibling": "The node to put it beside is gone, or somewhere else.",
  "section-not-found": "The section is gone: somebody else has deleted it.",
  "cycle": "A node cannot be put into itself.",
  "content-too-large": "That is more than the service takes at once.",
  "depth-limit": "The tree would be deeper than the service allows.",
  "overloaded": "The service has too much to do. Try again in a moment.",
};

/** Returns the text of an error for people. */
export const inWords = (error) => IN_WORDS[error.code] ?? error.detail ?? error.message;

/** Makes an element with attributes and children. */
export function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) {
    if (attribute.startsWith("on")) element.addEventListener(attribute.slice(2), value);
    else if (value === true) element.setAttribute(attribute, "");
    else if (value !== false && value != null) element.setAttribute(attribute, value);
  }
  element.append(...children);
  return element;
}

/** Returns a whole number with commas. The formats of the browser take a while to load. */
export const grouped = (number) => String(number).replace(/\B(?=(\d{3})+$)/g, ",");

/** Returns a number with a noun, in the plural unless it is one. */
export const count = (number, noun) => `${grouped(number)} ${noun}${number === 1 ? "" : "s"}`;

/** Announces something to screen readers. The same text is announced again. */
export function announce(text) {
  find("said").textContent = "";
  requestAnimationFrame(() => (find("said").textContent = text));
}

/** Shows an error until it is dismissed, and has it announced. The same one is shown once. */
export function showError(error, title) {
  const detail = typeof error === "string" ? error : inWords(error);
  addAlert(title ? `${title} ${detail}` : detail, "alert");
}

/** Shows something that the user should know until it is dismissed, and has it announced. */
export const showNote = (text) => addAlert(text, "alert note");

/** Gives the focus back to an element; for a row, which may be gone, to the active row. */
function giveBack(element) {
  const isThere = element?.isConnected && !element.closest(".body");
  const row = document.querySelector(".body [role=row][tabindex='0']");
  const target = isThere ? element : row ?? document.querySelector(".treegrid");
  target?.focus({ preventScroll: true });
}

let cameFrom; // the element that had the focus before an alert
function addAlert(text, kind) {
  const alerts = find("alerts");
  const same = [...alerts.children].find((alert) => alert.dataset.text === text);
  if (same) alerts.append(same);
  else {
    const close = make("button", { class: "quiet", "aria-label": "Dismiss" },
      make("span", { class: "icon cross", "aria-hidden": "true" }));
    const alert = make("div", { class: kind, "data-text": text }, make("p", {}, text), close);
    // The focus goes back to where it was.
    alert.addEventListener("focusin", ({ relatedTarget }) => {
      if (relatedTarget && !alerts.contains(relatedTarget)) cameFrom = relatedTarget;
    });
    close.addEventListener("click", () => {
      const hadFocus = alert.contains(document.activeElement);
      alert.remove();
      if (hadFocus) giveBack(alerts.querySelector("button") ?? cameFrom);
    });
    alerts.append(alert);
  }
  while (alerts.children.length > 3) alerts.firstChild.remove();
}

export const clearErrors = () => find("alerts").replaceChildren();

/**
 * Asks in a dialog. With `label` it asks for a text, and resolves with it; else with true. Resolves
 * with null if the user cancels.
 */
export function ask({ title, text = "", action, danger = false, label, type = "text" }) {
  const dialog = find("dialog"), field = find("dialog-field"), input = find("dialog-input");
  const before = document.activeElement;
  find("dialog-title").textContent = title;
  find("dialog-text").textContent = text;
  find("dialog-yes").textContent = action;
  find("dialog-yes").classList.toggle("danger", danger);
  field.hidden = !label;
  field.firstElementChild.textContent = label ?? "";
  Object.assign(input, { type, value: "" });
  dialog.returnValue = "";
  dialog.showModal();
  if (label) input.select();
  else find(danger ? "dialog-cancel" : "dialog-yes").focus();
  // Enter in the field is the second button, not the first.
  const accept = (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    dialog.close("yes");
  };
  input.addEventListener("keydown", accept);
  return new Promise((resolve) => dialog.addEventListener("close", () => {
    input.removeEventListener("keydown", accept);
    giveBack(before);
    const answer = label ? input.value : true;
    input.value = "";
    resolve(dialog.returnValue ? answer : null);
  }, { once: true }));
}
