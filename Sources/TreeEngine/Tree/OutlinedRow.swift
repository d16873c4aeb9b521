/// A row with its parent and depth, and the slices of its key and object.
public struct OutlinedRow: Sendable {
  /// The node.
  public let node: NodeID
  /// The parent; ``NodeID/forestRoot`` for a root.
  public let parent: NodeID
  @usableFromInline let sequenceDepth: Int32
  /// The slice of ``SizedTree/keyBytes()`` with the key.
  public let key: ByteArena.Slice
  /// The slice of ``SizedTree/objectBytes()`` with the object; an empty slice stands for `null`.
  public let object: ByteArena.Slice

  init(_ node: NodeID, _ record: NodeRecord, depth: Int32) {
    self.node = node
    parent = record.parent
    sequenceDepth = depth
    key = record.key
    object = record.object
  }

  /// The depth; 0 for a root.
  @inlinable public var depth: Int { Int(sequenceDepth) - 1 }
}
