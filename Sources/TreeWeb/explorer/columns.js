// The columns of the grid: the name of a row, and the members of its object that are shown.

const NAMES = ["name", "title", "label", "displayName", "fullName", "text", "id"];
const MOST_MEMBERS = 30, MOST_CHOSEN = 5;
const isScalar = (value) => ["string", "number", "boolean"].includes(typeof value);
const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
const escaped = (member) => `/${member.replaceAll("~", "~0").replaceAll("/", "~1")}`;
const segments = (pointer) => pointer.split("/").slice(1)
  .map((segment) => segment.replaceAll("~1", "/").replaceAll("~0", "~"));

const decimalsOf = (value) =>
  typeof value === "number" ? (/\.(\d+)$/.exec(Number(value.toFixed(4)))?.[1].length ?? 0) : 0;

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

  /** Returns the name of a row. */
  nameOf({ key, object }) {
    const value = this.name === "#key" ? key : valueAt(object, this.name);
    return isScalar(value) && value !== "" ? String(value) : key;
  }

  /** Returns the text of a cell. */
  textOf({ object }, pointer) {
    const value = valueAt(object, pointer);
    if (value === undefined || value === null) return "";
    if (typeof value === "number") return formatted(value, this.decimals.get(pointer) ?? 0);
    return typeof value === "object" ? JSON.stringify(value) : String(value);
  }

  /** Returns the text of a header: the last segment of a pointer, in words. */
  titleOf(pointer) {
    const text = segments(pointer).at(-1) ?? pointer;
    const words = text.replace(/([a-z])([A-Z])/g, "$1 $2").replaceAll("_", " ");
    return words.charAt(0).toUpperCase() + words.slice(1);
  }

  /** Returns the direction in which the rows are sorted by a column, or "none". */
  directionOf(by) { return this.sort?.by === by ? this.sort.direction : "none"; }

  /** Returns what a click on a header sorts by: ascending, then descending, then nothing. */
  nextSort(by) {
    if (this.sort?.by !== by) return { by, direction: "ascending", compare: "natural" };
    return this.sort.direction === "ascending" ? { ...this.sort, direction: "descending" } : null;
  }

  /** Returns the operation that gives a row another name. */
  rename({ key, object }, name) {
    if (isScalar(object)) return { op: "update", key, object: name };
    const pointer = this.name === "#key" || this.name === "" ? "/name" : this.name;
    if (this.name === "#key") this.name = pointer;
    return { op: "update", key, merge: patchAt(pointer, name) };
  }

  /** Returns the object of a new row with a name. */
  newObject(name) {
    return this.name === "" ? name : patchAt(this.name === "#key" ? "/name" : this.name, name);
  }
}
