// The columns of the grid: the name of a row, and the members of its object that are shown.

const NAMES = ["name", "title", "label", "displayName", "fullName", "text", "id"];
const MOST_MEMBERS = 30, MOST_CHOSEN = 5;
const isScalar = (value) => ["string", "number", "boolean"].includes(typeof value);
const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
const escaped = (member) => `/${member.replaceAll("~", "~0").replaceAll("/", "~1")}`;
const segments = (pointer) => pointer.split("/").slice(1)
  .map((segment) => segment.replaceAll("~1", "/").replaceAll("~0", "~"));

/** Returns the escape of a character in JSON. */
const escapeOf = (character) => character < " " ? JSON.stringify(character).slice(1, -1)
  : `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
/** Characters that break a line, or turn the direction of what follows. */
const STRAY = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;
/** Texts of nothing but characters without a shape. */
const BLANK = /^[\s\p{Cc}\p{Cf}\p{Z}\u115f\u1160\u2800\u3164\uffa0]*$/u;

/** Returns a text on one line, with escapes in place of characters that disturb it. */
export const oneLine = (text) => text.replace(STRAY, escapeOf);

/** Returns the beginning of a long text. */
export const shortened = (text) => text.length > 60 ? `${text.slice(0, 59)}…` : text;

/** Returns JSON whose characters are seen in their order. It has the same meaning. */
export const seenJSON = (text) =>
  text.replace(STRAY, (character) => character === "\n" ? character : escapeOf(character));

const decimalsOf = (value) =>
  typeof value === "number" ? (/\.(\d+)$/.exec(Number(value.toFixed(4)))?.[1].length ?? 0) : 0;

/** Returns an entered text as a value of the type of an earlier one, if it is the text of one. */
const entered = (text, before) => {
  if (!["number", "boolean"].includes(typeof before)) return text;
  try {
    const value = JSON.parse(text);
    return typeof value === typeof before && String(value) === text ? value : text;
  } catch {
    return text;
  }
};

const formats = new Map();
/** Returns the text of a number with a minimum of decimals. A format is created on first use. */
const formatted = (value, decimals) => {
  if (!formats.has(decimals)) {
    formats.set(decimals, new Intl.NumberFormat("en",
      { minimumFractionDigits: decimals, maximumFractionDigits: 6 }));
  }
  return formats.get(decimals).format(value);
};

/** Returns the value at a JSON pointer; undefined if there is none. */
export function valueAt(object, pointer) {
  let value = object;
  for (const segment of segments(pointer)) {
    if (value === null || typeof value !== "object") return undefined;
    if (!Object.hasOwn(value, segment)) return undefined;
    value = value[segment];
  }
  return value;
}

/** Returns a merge patch that sets the value at a pointer. */
export const patchAt = (pointer, value) =>
  segments(pointer).reduceRight((inner, segment) => ({ [segment]: inner }), value);

export class Columns {
  /** The pointer to the name; "#key" for the key. */
  name = "#key";
  /** All members that may be columns, as pointers, the most frequent first. */
  members = [];
  /** The members that are shown. */
  chosen = [];
  /** The descriptors that sort the rows; null for the order of the tree. */
  sort = null;
  #objects = [];
  #first;

  /** Guesses the columns from the first rows. */
  constructor(rows) {
    this.learn(rows);
    this.#first = new Set(this.members);
  }

  /** Guesses further columns from more rows. The name and the columns there are stay. */
  learn(rows) {
    const objects = this.#objects = [...this.#objects, ...rows.map(({ object }) => object)];
    const counts = new Map(), known = this.members;
    for (const object of objects.filter(isObject)) {
      for (const [member, value] of Object.entries(object)) {
        if (isScalar(value)) counts.set(member, (counts.get(member) ?? 0) + 1);
      }
    }
    const strings = [...counts.keys()].filter((member) =>
      objects.some((object) => isObject(object) && typeof object[member] === "string"));
    const most = Math.max(0, ...counts.values());
    const named = NAMES.find((name) => strings.includes(name))
      ?? strings.find((name) => counts.get(name) === most);
    if (this.name === "#key") {
      if (named) this.name = escaped(named);
      else if (objects.length > 0 && objects.every(isScalar)) this.name = "";
    }
    const more = [...counts.keys()].sort((a, b) => counts.get(b) - counts.get(a)).map(escaped)
      .filter((pointer) => pointer !== this.name && !known.includes(pointer))
      .slice(0, MOST_MEMBERS - known.length);
    this.members = [...known, ...more];
    this.chosen = [...this.chosen, ...more.slice(0, Math.max(0, MOST_CHOSEN - this.chosen.length))];
    // All numbers of a column have the same decimals, so that they can be compared downwards.
    this.decimals = new Map(this.members.map((pointer) => [pointer, Math.min(4, Math.max(0,
      ...objects.map((object) => decimalsOf(valueAt(object, pointer)))))]));
    this.numeric = new Set(this.members.filter((pointer) => objects.every((object) =>
      ["number", "undefined"].includes(typeof valueAt(object, pointer)))));
  }

  /** Returns the first `most` chosen columns, those that the first rows have at the end. */
  shown(most) {
    const shown = this.chosen.slice(0, most), isFirst = (pointer) => this.#first.has(pointer);
    return [...shown.filter((pointer) => !isFirst(pointer)), ...shown.filter(isFirst)];
  }

  /** Returns the name of a row, as it is. */
  rawNameOf({ key, object }) {
    const value = this.name === "#key" ? key : valueAt(object, this.name);
    return isScalar(value) && value !== "" ? String(value) : key;
  }

  /** Returns the name of a row, to be shown on one line. */
  nameOf(row) {
    const name = this.rawNameOf(row);
    if (!BLANK.test(name)) return oneLine(name);
    return BLANK.test(row.key) ? `"${row.key.replace(/[^ ]/g, escapeOf)}"` : oneLine(row.key);
  }

  /** Returns the name of a row for a sentence, in which a long one would hide the rest. */
  shortNameOf(row) { return shortened(this.nameOf(row)); }

  /** Returns the text of a cell. */
  textOf({ object }, pointer) {
    const value = valueAt(object, pointer);
    if (value === undefined || value === null) return "";
    if (typeof value === "number") return formatted(value, this.decimals.get(pointer) ?? 0);
    return oneLine(typeof value === "object" ? JSON.stringify(value) : String(value));
  }

  /** Returns the text of a header: the last segment of a pointer, in words. */
  titleOf(pointer) {
    const text = segments(pointer).at(-1) ?? pointer;
    const words = text.replace(/([a-z])([A-Z])/g, "$1 $2").replaceAll("_", " ");
    return words.charAt(0).toUpperCase() + words.slice(1);
  }

  /** Returns the text of the header that sorts by a subject. */
  headerOf(by) { return by === "#key" ? "Key" : by === "" ? "Value" : this.titleOf(by); }

  /** Returns the direction in which the rows are sorted by a column, or "none". */
  directionOf(by) { return this.sort?.by === by ? this.sort.direction : "none"; }

  /** Returns what a click on a header sorts by: ascending, then descending, then nothing. */
  nextSort(by) {
    if (this.sort?.by !== by) return { by, direction: "ascending", compare: "natural" };
    return this.sort.direction === "ascending" ? { ...this.sort, direction: "descending" } : null;
  }

  /** The pointer to what a new name sets. */
  get #renamed() { return this.name === "#key" ? "/name" : this.name; }

  /** Returns why a row cannot be renamed: its name would replace more than a name. */
  refusalOf({ object }) {
    const parts = segments(this.#renamed);
    for (let depth = 0; depth <= parts.length; depth++) {
      const path = parts.slice(0, depth).map(escaped).join(""), value = valueAt(object, path);
      if (value === undefined || value === null) return undefined;
      if (depth < parts.length ? isObject(value) : isScalar(value)) continue;
      const what = Array.isArray(value) ? "an array" : isObject(value) ? "an object" : "a value";
      return `its ${path ? `member ${path}` : "object"} is ${what}, which a name would replace`;
    }
    return undefined;
  }

  /** Returns the operation that gives a row another name. */
  rename({ key, object }, name) {
    const pointer = this.name = this.#renamed, value = entered(name, valueAt(object, pointer));
    return pointer === "" ? { op: "update", key, object: value }
      : { op: "update", key, merge: patchAt(pointer, value) };
  }

  /** Returns the object of a new row with a name. */
  newObject(name) {
    return patchAt(this.#renamed, name);
  }
}
