import type { JSONValue, Row, TreeView, ViewStatus } from "./tree-client.js";

/** The parts of React that the hook needs. */
export interface HooksOfReact {
  useEffect(effect: () => void, dependencies?: readonly unknown[]): void;
  useSyncExternalStore<Snapshot>(
    subscribe: (notify: () => void) => () => void, snapshot: () => Snapshot, ofServer?: () => Snapshot,
  ): Snapshot;
}

export interface TreeRows<Object = JSONValue> {
  /** A row for each index of the range that is not beyond the last row; undefined while it is being read. A row is the same object until a member changes, so that `React.memo` can skip it. */
  rows: (Row<Object> | undefined)[];
  /** The number of all rows. */
  rowCount: number;
  status: ViewStatus;
}

/**
 * Creates a hook for the React of the page:
 *
 * ```js
 * const useTreeRows = treeRowsHook(React);
 * const { rows, rowCount, status } = useTreeRows(view, first, last);
 * ```
 */
export function treeRowsHook(react: HooksOfReact):
  <Object = JSONValue>(view: TreeView<Object>, first: number, last: number) => TreeRows<Object>;
