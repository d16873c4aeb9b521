/**
 * Changes a whole list of rows at random and says so as the service would: the rows before and
 * after, and the change list between them, in either format. Shares no code with the client.
 */
export function changedList(random, before, nextKey) {
  const kinds = before.map(() => {
    const x = random.next();
    return x < 0.15 ? "delete" : x < 0.3 ? "move" : "stay";
  });
  // Runs are what the client merges, so neighbours often share a fate.
  for (let i = 1; i < kinds.length; i++) if (random.chance(0.6)) kinds[i] = kinds[i - 1];
  const rows = before.map((row, index) => ({ row, index, kind: kinds[index] }));
  const after = rows.filter(({ kind }) => kind === "stay");
  const moved = rows.filter(({ kind }) => kind === "move");
  for (let i = 0; i < moved.length; ) {
    let count = 1;
    while (i + count < moved.length && random.chance(0.7)) count++;
    after.splice(random.below(after.length + 1), 0, ...moved.slice(i, i + count));
    i += count;
  }
  for (let runs = random.below(4); runs > 0; runs--) {
    const run = Array.from({ length: 1 + random.below(4) }, () => ({
      kind: "insert",
      row: { key: nextKey(), depth: random.below(3), parent: null, object: random.below(9) },
    }));
    after.splice(random.below(after.length + 1), 0, ...run);
  }
  for (const one of after) {
    if (one.kind === "move") {
      one.row = { ...one.row, depth: random.below(3), parent: random.chance(0.5) ? "p" : null };
    }
    if (one.kind !== "insert" && random.chance(0.1)) {
      one.updated = true;
      one.row = { ...one.row, object: 100 + random.below(900) };
    }
  }
  after.forEach((one, newIndex) => (one.newIndex = newIndex));
  const entry = (type, one) => ({ type, key: one.row.key, index: one.index, newIndex: one.newIndex,
    row: one.row });
  const deletes = rows.filter(({ kind }) => kind === "delete").reverse()
    .map(({ index, row }) => ({ type: "delete", key: row.key, index }));
  const arrivals = after.filter(({ kind }) => kind !== "stay").map((one) => entry(one.kind, one));
  const updates = after.filter(({ updated }) => updated).map((one) => entry("update", one));
  return { after: after.map(({ row }) => row), deletes, arrivals, updates };
}

/** Writes a list with an entry for each row, with the rows themselves for the first `limit`. */
export function asRows({ deletes, arrivals, updates }, limit) {
  let left = limit;
  const told = ({ row, ...change }) => ({
    ...change,
    ...(change.type !== "update" && { depth: row.depth, parent: row.parent }),
    ...(change.type !== "move" && left-- > 0 && { row }),
  });
  const arrived = arrivals.map(({ index, ...change }) =>
    told(change.type === "move" ? { index, ...change } : change));
  return [...deletes, ...arrived, ...updates.map(told)];
}

/** Writes a list with runs of neighbouring rows merged. */
export function asRanges({ deletes, arrivals, updates }, limit) {
  let left = limit;
  const merged = [];
  for (const { index } of deletes) {
    const last = merged.at(-1);
    if (last?.index === index + 1) Object.assign(last, { index, count: last.count + 1 });
    else merged.push({ type: "delete", index, count: 1 });
  }
  const begin = merged.length;
  for (const { type, key, index, newIndex, row } of [...arrivals, ...updates]) {
    const last = merged.length > begin ? merged.at(-1) : undefined;
    const joins = last?.type === type && last.newIndex + last.count === newIndex
      && (type === "insert" || last.index + last.count === index);
    const change = joins ? last : { type, key, newIndex, count: 0 };
    if (!joins) {
      merged.push(change);
      if (type !== "insert") change.index = index;
      if (type !== "update") Object.assign(change, { depth: row.depth, parent: row.parent });
    } else {
      delete change.key;
      if (type === "insert" || change.depth !== row.depth || change.parent !== row.parent) {
        delete change.depth;
        delete change.parent;
      }
    }
    change.count++;
    if (type !== "move" && left > 0 && (change.rows?.length ?? 0) === change.count - 1) {
      left--;
      (change.rows ??= []).push(row);
    }
  }
  return merged;
}
