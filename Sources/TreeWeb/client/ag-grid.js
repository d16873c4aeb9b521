// Data sources for AG Grid. The data of a row of the grid is a `Row`: use columns such as
// `{ field: "object.name" }`, and `getRowId: ({ data }) => data.key`.

/** Passes the result of a read to the grid's callbacks. */
const answer = async (read, success, fail) => {
  try {
    success(await read());
  } catch (error) {
    fail(error);
  }
};

/**
 * Returns a data source for the row model "infinite" (Community): all rows of a session in blocks.
 * The grid reads its blocks again after changes, at most every `interval` milliseconds.
 *
 * `api` returns the API of the grid, which is created after its data source. `filter` converts the
 * filter model of the grid to a `filter` of the whole session.
 */
export function infiniteDatasource(session, { api, fields, filter, interval = 250 }) {
  const ending = new AbortController(), { signal } = ending;
  let filtered;
  // Changes after this revision are followed, so no block may be older.
  const known = session.revision === undefined ? session.getSession({ signal }) : session;
  const follow = async () => {
    const { revision: since } = await known;
    for await (const _ of session.changes({ since, changes: "none", interval, signal })) {
      api()?.refreshInfiniteCache();
    }
  };
  follow().catch((error) => signal.aborted || console.error(error));
  return {
    getRows({ startRow, endRow, filterModel, successCallback, failCallback }) {
      return answer(async () => {
        await known;
        const model = JSON.stringify(filterModel ?? {});
        if (filter && model !== (filtered ?? "{}")) {
          filtered = model;
          await session.patch({ filter: filter(filterModel) }, { changes: "none", signal });
        }
        try {
          return await session.rows({ offset: startRow, limit: endRow - startRow, fields, signal });
        } catch (error) {
          // The list became shorter than what the grid has scrolled to.
          if (error.status !== 416) throw error;
          return { rows: [], rowCount: error.limit };
        }
      }, ({ rows, rowCount }) => successCallback(rows, rowCount), failCallback);
    },
    destroy() {
      ending.abort();
    },
  };
}

/**
 * Returns a data source for the row model "viewport" (Enterprise): a view of a session, which
 * updates the rows of the grid one by one.
 */
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
    destroy() {
      leave?.();
      view.close();
    },
  };
}

/**
 * Returns a data source for the row model "server-side" with tree data (Enterprise): the children
 * of the group that the grid opens. The options of the grid need `isServerSideGroup` and
 * `getServerSideGroupKey` below.
 */
export function serverSideDatasource(session, { fields } = {}) {
  return {
    getRows({ request: { startRow = 0, endRow = startRow + 100, groupKeys }, success, fail }) {
      return answer(
        () => session.children(groupKeys.at(-1) ?? null,
          { offset: startRow, limit: endRow - startRow, fields }),
        ({ nodes, childCount }) => success({ rowData: nodes, rowCount: childCount ?? undefined }),
        fail,
      );
    },
  };
}

export const isServerSideGroup = (row) => row.childState !== "leaf";
export const getServerSideGroupKey = (row) => row.key;
