// Converts files to lines of an import, in pieces. Errors name the line of the file.

/** The approximate size of a piece, in bytes. */
export const PIECE = 2_000_000;
/** The most bytes of a CSV or JSON file, which is converted in memory. */
export const MOST = 256 * 2 ** 20;

/** An error in a file. */
export class FileError extends Error {
  constructor(detail, line) {
    super(line ? `Line ${line}: ${detail}` : detail);
    this.line = line;
  }
}

/** Returns the kind of a file: `ndjson`, `json` or `csv`. */
export function kindOf({ name, type }, start) {
  const ending = name.toLowerCase().split(".").pop();
  if (["ndjson", "jsonl", "jsonlines"].includes(ending)) return "ndjson";
  if (["csv", "tsv"].includes(ending) || type === "text/csv") return "csv";
  const text = start.replace(/^\uFEFF/, "").trimStart();
  // NDJSON has a complete object on its first line, and further lines.
  const [line, ...more] = text.split("\n");
  if (text.startsWith("{") && more.some((other) => other.trim().startsWith("{"))) {
    try {
      JSON.parse(line);
      return "ndjson";
    } catch {
      return "json";
    }
  }
  if (/^[[{"\d]/.test(text) || ending === "json") return "json";
  throw new FileError("The explorer reads NDJSON, JSON and CSV; this is something else.");
}

/**
 * Reads a file, and yields pieces `{ lines, first, done }`. `lines` are lines of an import, and
 * `done` is the share of the file that is read. `first` is the number of the first line, if the
 * lines are those of the file.
 */
export async function* piecesOf(file) {
  const kind = kindOf(file, await file.slice(0, 65_536).text());
  if (kind === "ndjson") return yield* ndjsonPieces(file);
  if (file.size > MOST) {
    const most = `${MOST >> 20} MiB`;
    throw new FileError(`A ${kind.toUpperCase()} file may have ${most}; convert it to NDJSON.`);
  }
  const text = await textOf(file);
  yield* joined(kind === "csv" ? csvNodes(text) : jsonNodes(text));
}

/** Reads a text in UTF-8. Other characters would be replaced, and lost. */
async function textOf(file) {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer());
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new FileError("The file is not in UTF-8; save it in this encoding.");
  }
}

async function* ndjsonPieces(file) {
  const newline = 10;
  let rest = new Uint8Array(), first = 1;
  for (let at = 0; at < file.size; at += PIECE) {
    let bytes = new Uint8Array(await file.slice(at, at + PIECE).arrayBuffer());
    if (at === 0 && bytes[0] === 0xef && bytes[1] === 0xbb) bytes = bytes.subarray(3);
    const end = at + PIECE >= file.size ? bytes.length : bytes.lastIndexOf(newline) + 1;
    const lines = new Blob([rest, bytes.subarray(0, end)]);
    const brings = end > 0 || at + PIECE >= file.size;
    const done = Math.min(1, (at + PIECE) / file.size);
    if (brings && lines.size > 0) yield { lines, first, done };
    if (brings) {
      for (const part of [rest, bytes.subarray(0, end)]) {
        for (let i = part.indexOf(newline); i >= 0; i = part.indexOf(newline, i + 1)) first += 1;
      }
      rest = bytes.slice(end);
    } else rest = new Uint8Array(await new Blob([rest, bytes]).arrayBuffer());
  }
}

function* joined(nodes) {
  let lines = [], size = 0, count = 0;
  for (const node of nodes) {
    const line = JSON.stringify(node);
    lines.push(line);
    size += line.length;
    count += 1;
    if (size < PIECE) continue;
    yield { lines: lines.join("\n"), done: count / (nodes.length ?? Infinity) };
    [lines, size] = [[], 0];
  }
  if (lines.length > 0) yield { lines: lines.join("\n"), done: 1 };
}

/** Returns the character between the fields: a comma, or else a semicolon or a tab. */
function separatorOf(text) {
  const [head] = text.split(/[\r\n]/, 1);
  return [",", ";", "\t"].find((character) => head.includes(character)) ?? ",";
}

/** Reads CSV (RFC 4180) as records `{ fields, line }`. */
export function* records(text) {
  let fields = [], line = 1, began = 1;
  const between = separatorOf(text);
  const field = `"(?:[^"]|"")*"|[^"${between}\\r\\n]*`;
  const part = new RegExp(`(${field})(${between}|\\r\\n|\\n|\\r|$)`, "y");
  while (part.lastIndex < text.length) {
    const from = part.lastIndex, match = part.exec(text);
    if (!match) {
      const isOpen = text[from] === '"' && !/[^"]"(?!")/.test(text.slice(from + 1));
      const detail = isOpen ? "a quoted field does not end." : "a field has a stray quote.";
      throw new FileError(detail, line);
    }
    const [, field, end] = match;
    fields.push(field.startsWith('"') ? field.slice(1, -1).replaceAll('""', '"') : field);
    line += field.split("\n").length - 1;
    if (end === between && part.lastIndex < text.length) continue;
    if (end === between) fields.push("");
    if (fields.length > 1 || fields[0] !== "") yield { fields, line: began };
    if (end !== between) line += end ? 1 : 0;
    [fields, began] = [[], line];
  }
}

const NUMBER = /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?$/;
const valueOf = (field) => field === "true" || field === "false" ? field === "true"
  : NUMBER.test(field) ? Number(field) : field;

/**
 * Returns the nodes of a CSV text, parents first. Columns other than `key`, `parent` and `section`
 * become members.
 */
export function csvNodes(text) {
  const all = records(text), head = all.next().value?.fields.map((field) => field.trim());
  if (!head) throw new FileError("The file is empty.");
  if (new Set(head).size < head.length) throw new FileError("two columns have one name.", 1);
  const nodes = [], seen = new Map();
  for (const { fields, line } of all) {
    if (fields.length !== head.length) {
      throw new FileError(`the number of fields is ${fields.length}, not ${head.length}.`, line);
    }
    const given = head.map((name, i) => [name, fields[i]]).filter(([, field]) => field !== "");
    const { key = `row-${line}`, parent, section, ...members } = Object.fromEntries(given);
    if (seen.has(key)) throw new FileError(`line ${seen.get(key)} has the key ${key}, too.`, line);
    seen.set(key, line);
    const object = Object.fromEntries(Object.entries(members)
      .map(([name, field]) => [name, valueOf(field)]));
    nodes.push({ key, parent, section, object });
  }
  for (const { key, parent } of nodes) {
    if (parent !== undefined && !seen.has(parent)) {
      throw new FileError(`the parent ${parent} is nowhere.`, seen.get(key));
    }
  }
  return parentsFirst(nodes, seen);
}

function parentsFirst(nodes, lines) {
  const children = new Map();
  for (const node of nodes) {
    if (children.has(node.parent)) children.get(node.parent).push(node);
    else children.set(node.parent, [node]);
  }
  const sorted = [...children.get(undefined) ?? []];
  for (let i = 0; i < sorted.length; i++) {
    for (const child of children.get(sorted[i].key) ?? []) sorted.push(child);
  }
  if (sorted.length < nodes.length) {
    const placed = new Set(sorted), node = nodes.find((other) => !placed.has(other));
    throw new FileError(`${node.key} is below itself.`, lines.get(node.key));
  }
  return sorted;
}

/** Returns the nodes of a JSON text: nested nodes as the service takes them, or any other value. */
export function jsonNodes(text) {
  let value;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const at = Number(/position (\d+)/.exec(error.message)?.[1]);
    const line = Number.isNaN(at) ? undefined : text.slice(0, at).split("\n").length;
    // What the browser cites of a binary file cannot be read.
    const detail = error.message.replace(/[^\x20-\x7e]+/g, "…");
    throw new FileError(`this is no JSON (${detail}).`, line);
  }
  const roots = [value, value?.nodes].find(Array.isArray);
  const areNodes = roots?.length > 0 && roots.every((node) => typeof node?.key === "string");
  if (areNodes) return nested(roots);
  return members(value);
}

function nested(roots) {
  const nodes = [], waiting = [{ list: roots, parent: undefined }];
  for (let i = 0; i < waiting.length; i++) {
    const { list, parent } = waiting[i];
    for (const { key, object, section, children, childCount } of list) {
      if (typeof key !== "string") throw new FileError("A node lacks a key.");
      const inside = Array.isArray(children) && children.length > 0;
      const state = !inside && children != null ? { children, childCount } : {};
      nodes.push({ key, parent, object, section, ...state });
      if (inside) waiting.push({ list: children, parent: key });
    }
  }
  return nodes;
}

/** Returns each member and element of a value as a node, with its JSON pointer as the key. */
function members(value) {
  const nodes = [], waiting = [{ key: "", value }];
  for (let i = 0; i < waiting.length; i++) {
    const { key: parent, value: inside } = waiting[i];
    if (inside === null || typeof inside !== "object") {
      if (i === 0) throw new FileError("The file has a single value, which is no tree.");
      continue;
    }
    for (const [name, member] of Object.entries(inside)) {
      const key = `${parent}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
      const isLeaf = member === null || typeof member !== "object";
      nodes.push({ key, parent: parent || undefined, object: isLeaf ? { name, value: member }
        : { name, ...scalars(member) } });
      waiting.push({ key, value: member });
    }
  }
  return nodes;
}

const scalars = (value) => {
  if (Array.isArray(value)) return {};
  const { name, title, label } = value;
  const shown = [name, title, label].find((text) => typeof text === "string");
  return shown === undefined ? {} : { title: shown };
};
