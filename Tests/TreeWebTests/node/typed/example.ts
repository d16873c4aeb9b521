// A typed use of the whole client. It is compiled, strictly, and not run.
import { TreeClient, TreeError, TreeView } from "../../../../Sources/TreeWeb/client/tree-client.js";
import type { ChangeList, Row, TreeSession } from "../../../../Sources/TreeWeb/client/tree-client.js";
import { infiniteDatasource, serverSideDatasource, viewportDatasource } from
  "../../../../Sources/TreeWeb/client/ag-grid.js";
import { Outbox } from "../../../../Sources/TreeWeb/client/outbox.js";
import { treeRowsHook } from "../../../../Sources/TreeWeb/client/react.js";
import { virtualList } from "../../../../Sources/TreeWeb/client/virtual-list.js";

interface Product {
  title: string;
  price?: number;
}

export async function use(signal: AbortSignal): Promise<string[]> {
  const client = new TreeClient({ url: "https://tree.example", credential: async () => "token" });
  await client.createTree({ tree: "catalog", nodes: [{ key: "a", children: [{ key: "b" }] }] });
  const session = await client.createSession({ tree: "catalog", expansion: 1 }, { signal });

  const view: TreeView<Product> = session.view<Product>({ pageSize: 50, fields: ["depth", "object"] });
  const leave = view.subscribe(({ shift, version }) => console.log(shift + version));
  view.setRange(0, 40);
  view.anchor = "b";
  await view.settled();
  const titles: string[] = [];
  for (let index = view.range.first; index <= view.range.last; index++) {
    const row: Row<Product> | undefined = view.row(index);
    titles.push(row?.object?.title ?? "…");
  }
  leave();

  const answer: ChangeList = await session.batch([
    { op: "insert", key: "c", parent: "a", object: { title: "C" }, first: true },
    { op: "move", keys: ["b", "c"], parent: null, before: "a" },
    { op: "reveal", key: "b", select: true },
  ], { signal, include: "rows", idempotencyKey: "k" });
  titles.push(...answer.unloaded);
  await session.expand("a", { levels: "all" });
  await session.move(["b"], { parent: "a", index: 0 }, { ifMatch: answer.revision });
  await session.patch({ filter: { by: "/title", contains: "c" } });
  const { matches, next } = await session.search({ q: "c", by: "/title", limit: 5 });
  titles.push(...matches.map(({ key }) => key), next ?? "");

  for await (const list of session.changes({ since: answer.revision, signal, interval: 250 })) {
    if (list.reset) break;
    titles.push(list.changes[0]?.key ?? "");
  }
  const outbox = new Outbox(session);
  outbox.addEventListener("rejected", ({ error, operations }) => console.log(error?.code, operations));
  try {
    await (await outbox.add([{ op: "remove", key: "c" }])).sent;
  } catch (error) {
    if (error instanceof TreeError && error.retryable) titles.push(error.code, `${error.operation}`);
  }
  return titles;
}

/** As `@types/react` declares them. */
declare const react: {
  useEffect(effect: () => void | (() => void), dependencies?: readonly unknown[]): void;
  useSyncExternalStore<Snapshot>(subscribe: (changed: () => void) => () => void,
    snapshot: () => Snapshot, ofServer?: () => Snapshot): Snapshot;
};

/** As AG Grid declares them. */
interface GridRequest {
  startRow: number;
  endRow: number;
  successCallback(rows: any[], lastRow?: number): void;
  failCallback(): void;
  sortModel: { colId: string; sort: "asc" | "desc" }[];
  filterModel: any;
  context: any;
}
interface GridApi {
  refreshInfiniteCache(): void;
  setRowCount(rowCount: number, maxRowFound?: boolean): void;
}

export function show(view: TreeView<Product>, element: HTMLElement): () => void {
  const list = virtualList(element, view, {
    draw(shown, row, index) { shown.textContent = row?.object?.title ?? `${index}`; },
    pinned: () => document.activeElement?.id,
    rendered: ({ first, last }) => console.log(last - first),
  });
  list.scrollTo(list.indexAt(40) + 1);
  list.elementOf("a")?.focus();
  return list.close;
}

export function titles(view: TreeView<Product>): (string | undefined)[] {
  const { rows, rowCount, status } = treeRowsHook(react)(view, 0, 10);
  return [...rows.map((row) => row?.object?.title), `${rowCount}`, status];
}

export async function grids(api: GridApi): Promise<void> {
  const session = await new TreeClient().createSession({ tree: "catalog" });
  const infinite: { getRows(request: GridRequest): void; destroy?(): void } =
    infiniteDatasource(session, { api: () => api, fields: ["key", "object"],
      filter: ({ title }) => title ? { by: "/title", contains: title.filter } : null,
      failed: (error) => console.log(error) });
  infinite.destroy?.();
  viewportDatasource(session.view<Product>()).init({ setRowCount() {}, setRowData() {} });
  serverSideDatasource(session, { sort: () => [{ by: "#key", direction: "descending" }] });
  // @ts-expect-error: a grid is needed
  infiniteDatasource(session, {});
}

export async function sections(session: TreeSession): Promise<string[]> {
  await session.batch([{ op: "sort", key: null, section: "One", by: [{ by: "#key" }] },
    { op: "setChildren", section: "Two", children: [{ key: "a" }] }]);
  const sections = await session.listSections();
  return sections.filter(({ expanded }) => !expanded).map(({ section }) => section);
}

export async function misuse(client: TreeClient): Promise<void> {
  const session = await client.openSession("s_1", { secret: "x" });
  // @ts-expect-error: there is no such operation
  await session.batch([{ op: "insrt", key: "a" }]);
  // @ts-expect-error: keys are text
  await session.expand(7);
  // @ts-expect-error: there is no such form
  await session.rows({ offset: "first" });
  // @ts-expect-error: rows are not to be written to
  session.view().rowCount = 3;
}
