// Data sources for AG Grid; documented in ag-grid.d.ts.
/** Converts the sort model of a grid, for columns of the key and of members of the objects. */
export const sortDescriptors = (model) => model.flatMap(({ colId, sort }) => {
  const [first, ...names] = colId.split("."), ofKey = colId === "key";
  if (first !== "object" && !ofKey) return [];
  const pointer = names.map((name) => `/${name.replace(/~/g, "~0").replace(/\//g, "~1")}`).join("");
  return { by: ofKey ? "#key" : pointer, direction: `${sort}ending` };
});

/** Returns a function that has a session follow the models of a grid, one after the other. */
const arranger = (session, { filter, sort = sortDescriptors }, signal) => {
  let last = "[[],{}]", work;
  return ({ sortModel, filterModel }) => {
    const model = JSON.stringify([sortModel ?? [], filterModel ?? {}]);
    if (model === last) return work;
    const by = sort(sortModel ?? []), viewSort = by.length > 0 ? by : null;
    const change = filter ? { viewSort, filter: filter(filterModel ?? {}) } : { viewSort };
    last = model;
    work = Promise.allSettled([work])
      .then(() => session.patch(change, { changes: "none", signal }));
    work.catch(() => (last = undefined));
    return work;
  };
};

/** Returns an empty page if a list became shorter than what a grid has scrolled to. */
const beyond = (error) => {
  if (error.status !== 416) throw error;
  return { rows: [], rowCount: error.limit, nodes: [], childCount: error.limit };
};

/** Returns a data source for the row model "infinite" (Community). */
export function infiniteDatasource(session, options) {
  const { api, fields, interval = 250, failed = console.error } = options;
  const ending = new AbortController(), { signal } = ending;
  const arrange = arranger(session, options, signal);
  // Changes after this revision are followed, so no block may be older.
  const known = session.revision === undefined ? session.getSession({ signal }) : session;
  let isAway = false;
  const onState = (state) => {
    // Blocks may have failed meanwhile.
    if (isAway && state !== "offline") api()?.refreshInfiniteCache();
    isAway = state === "offline";
  };
  const follow = async () => {
    const form = { since: (await known).revision, changes: "none", interval, signal, onState };
    for await (const { rowCount } of session.changes(form)) {
      // Blocks beyond the end would be asked for, refused, and left empty.
      api()?.setRowCount(rowCount, true);
      api()?.refreshInfiniteCache();
    }
  };
  follow().catch((error) => signal.aborted || failed(error));
  return {
    getRows({ startRow, endRow, sortModel, filterModel, successCallback, failCallback }) {
      const read = async () => {
        await known;
        await arrange({ sortModel, filterModel });
        return session.rows({ offset: startRow, limit: endRow - startRow, fields, signal });
      };
      return read().catch(beyond)
        .then(({ rows, rowCount }) => successCallback(rows, rowCount)).catch(failCallback);
    },
    destroy() { ending.abort(); },
  };
}

/** Returns a data source for the row model "viewport" (Enterprise), a view of a session. */
export function viewportDatasource(view) {
  let grid, leave, count, from = 0, to = -1;
  const shown = new Map();
  const show = () => {
    // The view follows rows that others shift; the grid stays at its indexes.
    if (to >= from && view.range.first !== from) view.setRange(from, to);
    if (view.rowCount !== count) grid.setRowCount((count = view.rowCount), true);
    const fresh = {}, last = Math.min(to, count - 1);
    for (const index of shown.keys()) if (index < from || index > last) shown.delete(index);
    for (let index = from; index <= last; index++) {
      const row = view.row(index);
      if (!row || shown.get(index) === row) continue;
      fresh[index] = row;
      shown.set(index, row);
    }
    if (Object.keys(fresh).length > 0) grid.setRowData(fresh);
  };
  return {
    init(params) {
      grid = params;
      leave = view.subscribe(show);
      show();
    },
    setViewportRange(first, last) {
      [from, to] = [first, last];
      view.setRange(first, last);
      show();
    },
    destroy() { leave?.(), view.close(); },
  };
}

/** Returns a data source for the row model "server-side" with tree data (Enterprise). */
export function serverSideDatasource(session, options = {}) {
  const { fields, sort } = options, arrange = arranger(session, { sort });
  return {
    getRows({ request, success, fail }) {
      const { startRow: offset = 0, endRow = offset + 100, groupKeys } = request;
      const read = async () => {
        await arrange(request);
        return session.children(groupKeys.at(-1) ?? null,
          { offset, limit: endRow - offset, fields });
      };
      return read().catch(beyond).then(({ nodes, childCount }) =>
        success({ rowData: nodes, rowCount: childCount ?? undefined })).catch(fail);
    },
  };
}

export const isServerSideGroup = (row) => row.childState !== "leaf";
export const getServerSideGroupKey = (row) => row.key;
