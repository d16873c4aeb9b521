// A hook for React; documented in react.d.ts.
export const treeRowsHook = ({ useEffect, useSyncExternalStore }) =>
  function useTreeRows(view, first, last) {
    useSyncExternalStore(view.subscribe, () => view.version, () => view.version);
    // The view follows rows that others shift; the component stays at its indexes.
    useEffect(() => view.setRange(first, last), [view, first, last, view.range.first]);
    const rows = [];
    for (let index = first; index <= Math.min(last, view.rowCount - 1); index++) {
      rows.push(view.row(index));
    }
    return { rows, rowCount: view.rowCount, status: view.status };
  };
