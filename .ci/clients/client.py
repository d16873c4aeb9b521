"""Uses the service at an address through the client that openapi-python-client generates."""

import io
import sys
from typing import TypeVar

from tree_service_client import AuthenticatedClient
from tree_service_client.api.batches import apply_batch, follow_changes, move_node, put_children, put_node
from tree_service_client.api.rows import list_rows
from tree_service_client.api.sessions import create_session, delete_session, patch_session
from tree_service_client.api.trees import create_tree, delete_tree, import_nodes
from tree_service_client.models import (
    AllLevels,
    Batch,
    ChangeList,
    ChildrenMark,
    ChildState,
    ClearSelectionOperation,
    CollapseAllOperation,
    CollapseOperation,
    CollapseSectionOperation,
    CreatedSession,
    DeleteChange,
    DeselectOperation,
    ExpandAllOperation,
    ExpandOperation,
    ExpandSectionOperation,
    ExpansionRule,
    FilterNot,
    FilterTest,
    InsertChange,
    InsertOperation,
    InsertSectionOperation,
    MoveChange,
    Destination,
    MoveOperation,
    MoveSectionOperation,
    NewNode,
    NewRoot,
    NewSession,
    NewTree,
    PatchedSession,
    NodeContent,
    RemoveOperation,
    RemoveSectionOperation,
    RenameSectionOperation,
    RevealOperation,
    Row,
    RowPage,
    SelectOperation,
    SessionPatch,
    SetChildrenOperation,
    SortDescriptor,
    SortOperation,
    ToggleOperation,
    Tree,
    TreeChange,
    UnloadedMark,
    UpdateChange,
    UpdatedField,
    UpdateOperation,
)
from tree_service_client.types import File

T = TypeVar("T")

Operation = (
    ClearSelectionOperation
    | CollapseAllOperation
    | CollapseOperation
    | CollapseSectionOperation
    | DeselectOperation
    | ExpandAllOperation
    | ExpandOperation
    | ExpandSectionOperation
    | InsertOperation
    | InsertSectionOperation
    | MoveOperation
    | MoveSectionOperation
    | RemoveOperation
    | RemoveSectionOperation
    | RenameSectionOperation
    | RevealOperation
    | SelectOperation
    | SetChildrenOperation
    | SortOperation
    | ToggleOperation
    | UpdateOperation
)

# Every operation once; in the end the rows are those of the test below.
OPERATIONS: list[Operation] = [
    InsertOperation(key="plum", parent="fruit", object_={"title": "Plum"}, first=True),
    InsertOperation(key="nuts", object_={"title": "Nuts"}, children=UnloadedMark.UNLOADED, parent=None),
    UpdateOperation(key="apple", merge={"ripe": True}),
    MoveOperation(keys=["pear", "plum"], parent=None, before="stone"),
    SetChildrenOperation(key="fruit", children=[NewRoot(key="apple", object_={"title": "Apple"}), NewRoot(key="quince")]),
    SetChildrenOperation(key="lazy", children=ChildrenMark.LOADING),
    SetChildrenOperation(key="folder", children=None),
    SortOperation(key=None, by=[SortDescriptor(by="/title")]),
    InsertSectionOperation(section="B"),
    RenameSectionOperation(section="B", to="C"),
    MoveSectionOperation(section="C", index=0),
    CollapseSectionOperation(section=""),
    ExpandSectionOperation(section=""),
    RemoveSectionOperation(section="C"),
    ExpandOperation(key="fruit", levels=AllLevels.ALL),
    CollapseOperation(key="fruit", levels=1),
    ToggleOperation(key="fruit"),
    CollapseAllOperation(),
    ExpandAllOperation(),
    RevealOperation(keys=["quince"], select=True),
    SelectOperation(subtree="fruit"),
    DeselectOperation(key="apple"),
    ClearSelectionOperation(),
    RemoveOperation(key="stone"),
]


def expect(value: object, kind: type[T]) -> T:
    """Returns the value, which must be of the type; a problem is not."""
    assert isinstance(value, kind), value
    return value


def keys(rows: list[Row]) -> list[object]:
    return [row.key for row in rows]


def use_session(client: AuthenticatedClient) -> None:
    roots = [
        NewRoot(key="fruit", object_={"title": "Fruit"}, children=[NewNode(key="apple"), NewNode(key="pear")]),
        NewRoot(key="folder", object_={"title": "Folder"}, children=[]),
        NewRoot(key="lazy", object_={"title": "Lazy"}, children=UnloadedMark.UNLOADED, child_count=3),
        NewRoot(key="stone", object_=None),
    ]
    session = expect(
        create_session.sync(client=client, body=NewSession(expansion=ExpansionRule.ALL, filter_=None, nodes=roots)),
        CreatedSession,
    )
    assert (session.row_count, session.expansion, session.filter_) == (6, ExpansionRule.ALL, None)
    name = session.session

    changes = expect(apply_batch.sync(name, client=client, body=Batch(operations=OPERATIONS)), ChangeList)
    entries = expect(changes.changes, list)
    assert isinstance(entries[0], DeleteChange) and entries[0].key == "stone"
    inserted = [change for change in entries if isinstance(change, InsertChange)]
    assert {change.key for change in inserted} == {"plum", "quince", "nuts"}
    assert {change.parent for change in inserted} == {"fruit", None}
    assert any(isinstance(change, MoveChange) and change.key == "pear" for change in entries)
    updated = {change.key: change.fields for change in entries if isinstance(change, UpdateChange)}
    assert updated["lazy"] == [UpdatedField.CHILDSTATE], updated
    assert "nuts" in changes.unloaded

    page = expect(list_rows.sync(name, client=client, limit=10), RowPage)
    assert keys(page.rows) == ["pear", "folder", "fruit", "apple", "quince", "lazy", "nuts", "plum"], page.rows
    row = page.rows[3]
    assert (row.parent, row.depth, row.object_, row.child_state) == ("fruit", 1, {"title": "Apple"}, ChildState.LEAF)
    assert page.rows[0].parent is None

    change = expect(put_node.sync(name, "kiwi", client=client, body=NodeContent(parent="fruit")), ChangeList)
    assert [type(entry) for entry in expect(change.changes, list)] == [InsertChange, UpdateChange]
    body = Destination(parent=None, first=True)
    assert expect(move_node.sync(name, "kiwi", client=client, body=body), ChangeList).row_count == 9
    expect(put_children.sync(name, "lazy", client=client, body=[NewRoot(key="fig")]), ChangeList)
    expect(put_children.sync(name, "lazy", client=client, body=ChildrenMark.FAILED), ChangeList)
    since = expect(follow_changes.sync(name, client=client, since=change.revision), ChangeList)
    assert any(isinstance(entry, MoveChange) and entry.key == "kiwi" for entry in expect(since.changes, list))

    test = FilterNot(not_=FilterTest(by="/title", equals="Fruit"))
    filtered = expect(patch_session.sync(name, client=client, body=SessionPatch(filter_=test)), PatchedSession)
    assert isinstance(filtered.filter_, FilterNot) and isinstance(filtered.filter_.not_, FilterTest)
    cleared = expect(patch_session.sync(name, client=client, body=SessionPatch(filter_=None)), PatchedSession)
    assert cleared.filter_ is None
    assert delete_session.sync_detailed(name, client=client).status_code == 204


def use_tree(client: AuthenticatedClient) -> None:
    tree = expect(create_tree.sync(client=client, body=NewTree(sections=["A"])), Tree)
    lines = io.BytesIO(b'{"key":"a"}\n{"key":"b","parent":"a","children":"unloaded"}\n')
    assert expect(import_nodes.sync(tree.tree, client=client, body=File(payload=lines)), TreeChange).applied == 2
    assert delete_tree.sync_detailed(tree.tree, client=client).status_code == 204


with AuthenticatedClient(base_url=sys.argv[1], token="none") as service:
    use_session(service)
    use_tree(service)
