// A hook for React; documented in react.d.ts.
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
