import type { JSONValue, Row, TreeView } from "./tree-client.js";

export interface VirtualListOptions<Object = JSONValue> {
  /** The height of each row in pixels; 24 if absent. */
  rowHeight?: number;
  /** Fills an element, which is reused for other rows. `row` is undefined while it is being read. */
  draw(element: HTMLElement, row: Row<Object> | undefined, index: number): void;
  /** Returns the key of a row that keeps its element while it is not visible, such as the focused one. */
  pinned?(): string | null | undefined;
  /** Called after each change of the visible rows. */
  rendered?(list: VirtualList): void;
}

export interface VirtualList {
  /** The pixels above the visible rows. */
  readonly top: number;
  /** The index of the first visible row. */
  readonly first: number;
  /** The index of the last visible row; one less than `first` if there is none. */
  readonly last: number;
  /** Draws the rows that have changed. */
  render(): void;
  /** Returns the element of a row; undefined if it has none. */
  elementOf(key: string): HTMLElement | undefined;
  /** Scrolls until a row is the first visible one, or the last row is visible. */
  scrollTo(index: number): void;
  /** Returns the index of the row at a vertical position in the window, such as `clientY` of an event. It may be beyond the last row. */
  indexAt(y: number): number;
  /** Removes the rows, and the listeners. The view is not closed. */
  close(): void;
}

/**
 * Shows the rows of a view in an element that has a height of its own, and scrolls. A row keeps its
 * element while it is visible.
 */
export function virtualList<Object = JSONValue>(
  scroller: HTMLElement, view: TreeView<Object>, options: VirtualListOptions<Object>,
): VirtualList;
