import TreeDomain
import TreeEngine

/// Collects the strings of an answer in one array.
struct AnswerArena {
  private(set) var bytes: [UInt8] = []
  /// The last parent, which is often that of the next row as well.
  private var lastParent: (node: NodeID, slice: ByteSlice)?

  /// Reserves memory for the keys of a number of entries.
  mutating func reserve(entries: Int) { bytes.reserveCapacity(min(entries, 1_024) * 48) }

  mutating func append(_ string: ArraySlice<UInt8>) -> ByteSlice {
    let start = bytes.count
    bytes.append(contentsOf: string)
    return ByteSlice(start..<bytes.count)
  }

  /// Appends the names of sections.
  mutating func append(_ sections: [TreeSections.Section]) -> [ByteSlice] {
    sections.map { append($0.name[...]) }
  }

  /// Appends the key of an outlined row, without looking up its node.
  mutating func key(of row: OutlinedRow, in content: borrowing TreeContent) -> ByteSlice {
    let start = bytes.count
    content.tree.appendKey(of: row, to: &bytes)
    return ByteSlice(offset: start, count: row.key.count)
  }

  mutating func key(of node: NodeID, in content: borrowing TreeContent) -> ByteSlice {
    let start = bytes.count
    content.tree.appendKey(of: node, to: &bytes)
    return ByteSlice(start..<bytes.count)
  }

  mutating func object(of node: NodeID, in content: borrowing TreeContent) -> ByteSlice {
    let start = bytes.count
    content.tree.appendObject(of: node, to: &bytes)
    if bytes.count == start { bytes.append(contentsOf: EngineTree.null) }
    return ByteSlice(start..<bytes.count)
  }

  /// Returns the key of a parent; `nil` for a section, which is the engine's parent of a root.
  mutating func key(ofParent node: NodeID, in content: borrowing TreeContent) -> ByteSlice? {
    if let lastParent, lastParent.node == node { return lastParent.slice }
    guard node != .forestRoot, !content.tree.isSection(node) else { return nil }
    return key(ofInner: node, in: content)
  }

  /// Returns the key of a parent that is no section.
  mutating func key(ofInner node: NodeID, in content: borrowing TreeContent) -> ByteSlice {
    if let lastParent, lastParent.node == node { return lastParent.slice }
    let slice = key(of: node, in: content)
    lastParent = (node, slice)
    return slice
  }
}
