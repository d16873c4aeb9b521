import TreeDomain
import TreeEngine

/// Collects the strings of an answer in one array.
struct AnswerArena {
  private(set) var bytes: [UInt8] = []
  /// Neighbouring rows mostly have the same parent.
  private var lastParent: (node: NodeID, slice: ByteSlice)?

  mutating func append(_ string: ArraySlice<UInt8>) -> ByteSlice {
    let slice = ByteSlice(offset: bytes.count, count: string.count)
    bytes.append(contentsOf: string)
    return slice
  }

  mutating func key(of node: NodeID, in manager: borrowing TreeManager) -> ByteSlice {
    append(manager.tree.key(of: node))
  }

  /// The key of a parent; `nil` for a root's.
  mutating func key(ofParent node: NodeID, in manager: borrowing TreeManager) -> ByteSlice? {
    guard node != .forestRoot else { return nil }
    if let lastParent, lastParent.node == node { return lastParent.slice }
    let slice = key(of: node, in: manager)
    lastParent = (node, slice)
    return slice
  }

  /// A row as it is answered; the strings of members that are not wanted stay empty.
  mutating func row(
    _ row: ViewRow,
    _ fields: RowFields,
    in manager: borrowing TreeManager
  ) -> Row {
    let none = ByteSlice(offset: 0, count: 0)
    return Row(
      index: row.index,
      key: fields.contains(.key) ? key(of: row.node, in: manager) : none,
      parent: fields.contains(.parent) ? key(ofParent: row.parent, in: manager) : nil,
      depth: row.depth,
      position: row.position,
      siblingCount: row.siblingCount,
      isExpanded: row.isExpanded,
      childState: row.childState,
      childCount: row.childCount,
      visibleDescendantCount: row.visibleDescendantCount,
      object: fields.contains(.object) ? append(manager.object(of: row.node)) : none
    )
  }
}
