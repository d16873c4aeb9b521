/**
 * Makes a hook of the React that a page has:
 *
 *     const useTreeRows = treeRowsHook(React);
 *     const { rows, rowCount, status } = useTreeRows(view, first, last);
 *
 * `rows` has a row, or undefined while it is being read, for each index from `first` to `last`. A
 * row is the same object as long as it reads the same, so that `React.memo` need not draw it again.
 */
export const treeRowsHook = ({ useEffect, useSyncExternalStore }) =>
  function useTreeRows(view, first, last) {
    useSyncExternalStore(view.subscribe, () => view.version, () => view.version);
    useEffect(() => view.setRange(first, last), [view, first, last]);
    const rows = [];
    for (let index = first; index <= Math.min(last, view.rowCount - 1); index++) {
      rows.push(view.row(index));
    }
    return { rows, rowCount: view.rowCount, status: view.status };
  };
