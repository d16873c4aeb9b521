import TreeDomain
import TreeEngine

/// Collects the strings of an answer in one array.
struct AnswerArena {
  private(set) var bytes: [UInt8] = []
  /// Neighbouring rows mostly have the same parent.
  private var lastParent: (node: NodeID, slice: ByteSlice)?

  /// Makes room for so many rows of a usual size.
  mutating func reserve(rows: Int) { bytes.reserveCapacity(bytes.count + rows * 128) }

  mutating func key(of node: NodeID, in manager: borrowing TreeManager) -> ByteSlice {
    let start = bytes.count
    manager.tree.appendKey(of: node, to: &bytes)
    return ByteSlice(start..<bytes.count)
  }

  mutating func object(of node: NodeID, in manager: borrowing TreeManager) -> ByteSlice {
    let start = bytes.count
    manager.tree.appendObject(of: node, to: &bytes)
    if bytes.count == start { bytes.append(contentsOf: TreeManager.null) }
    return ByteSlice(start..<bytes.count)
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
      object: fields.contains(.object) ? object(of: row.node, in: manager) : none
    )
  }
}
