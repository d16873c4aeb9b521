/**
 * Creates a hook for the React of the page:
 *
 *     const useTreeRows = treeRowsHook(React);
 *     const { rows, rowCount, status } = useTreeRows(view, first, last);
 *
 * `rows` has a row for each index from `first` to `last`, or undefined while it is being read. A
 * row is the same object until a member changes, so that `React.memo` can skip it.
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
