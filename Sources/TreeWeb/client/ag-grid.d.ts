import type { Filter, Row, RowField, SortDescriptor, TreeSession, TreeView } from "./tree-client.js";

/** An entry of the grid's sort model. */
export interface SortModelItem {
  colId: string;
  sort: "asc" | "desc";
}

/** Conversions of the models of a grid, which then apply to the whole session, as its `viewSort` and `filter`. */
export interface GridModels {
  /** Converts the filter model of the grid. If absent, the filters of the grid have no effect. */
  filter?(model: any): Filter | null;
  /** Converts the sort model of the grid; {@link sortDescriptors} if absent. */
  sort?(model: SortModelItem[]): SortDescriptor[];
}

export interface InfiniteOptions extends GridModels {
  /** Returns the API of the grid, which is created after its data source. */
  api(): { refreshInfiniteCache(): void; setRowCount(count: number, isLast?: boolean): void } | null | undefined;
  /** The members of the rows; all if absent. */
  fields?: string | RowField[];
  /** The minimum time in milliseconds between two refreshes of the grid after changes; 250 if absent. */
  interval?: number;
  /** Called with the error when the session has ended, and the grid is no longer kept up to date. If absent, the error is logged. */
  failed?(error: unknown): void;
}

export interface InfiniteRequest {
  startRow: number;
  endRow: number;
  sortModel: SortModelItem[];
  filterModel: any;
  successCallback(rows: any[], lastRow?: number): void;
  failCallback(error?: unknown): void;
}

/** A data source for the row model "infinite": an `IDatasource` of AG Grid. */
export interface InfiniteDatasource {
  getRows(request: InfiniteRequest): Promise<void>;
  /** Ends the following of changes. The grid calls it. */
  destroy(): void;
}

/**
 * Returns a data source for the row model "infinite" (Community): all rows of a session in blocks.
 * The `cacheBlockSize` of the grid must not be more than 1 000.
 * The grid reads its blocks again after changes. Its rows have {@link Row} as their data: use
 * columns such as `{ field: "object.name" }`, and `getRowId: ({ data }) => data.key`.
 */
export function infiniteDatasource(session: TreeSession, options: InfiniteOptions): InfiniteDatasource;

export interface ViewportGrid {
  setRowCount(count: number, keepRenderedRows?: boolean): void;
  setRowData(rows: { [index: number]: any }): void;
}

/** A data source for the row model "viewport": an `IViewportDatasource` of AG Grid. */
export interface ViewportDatasource {
  init(grid: ViewportGrid): void;
  setViewportRange(first: number, last: number): void;
  /** Closes the view. The grid calls it. */
  destroy(): void;
}

/**
 * Returns a data source for the row model "viewport" (Enterprise): a view of a session, which
 * updates the rows of the grid one by one.
 */
export function viewportDatasource<Object>(view: TreeView<Object>): ViewportDatasource;

/** Filters of the grid have no effect, because the children of a node are not filtered. Use another row model for them. */
export interface ServerSideOptions extends Pick<GridModels, "sort"> {
  /** The members of the rows; all if absent. */
  fields?: string | RowField[];
}

export interface ServerSideRequest {
  request: {
    startRow?: number;
    endRow?: number;
    groupKeys: string[];
    sortModel?: SortModelItem[];
    filterModel?: any;
  };
  success(answer: { rowData: any[]; rowCount?: number }): void;
  fail(error?: unknown): void;
}

/** A data source for the row model "server-side": an `IServerSideDatasource` of AG Grid. */
export interface ServerSideDatasource {
  getRows(request: ServerSideRequest): Promise<void>;
}

/**
 * Returns a data source for the row model "server-side" with tree data (Enterprise): the children
 * of the group that the grid opens. The `cacheBlockSize` of the grid must not be more than 1 000.
 * The options of the grid need {@link isServerSideGroup} and
 * {@link getServerSideGroupKey}.
 */
export function serverSideDatasource(session: TreeSession, options?: ServerSideOptions): ServerSideDatasource;

export function isServerSideGroup(row: Pick<Row, "childState">): boolean;
export function getServerSideGroupKey(row: Pick<Row, "key">): string;

/** Converts a sort model whose columns have ids such as `key` or `object.name`, which are their fields. Other columns are left out. */
export function sortDescriptors(model: SortModelItem[]): SortDescriptor[];
