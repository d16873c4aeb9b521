/// What places a row, and where its strings lie.
public struct OutlinedRow: Sendable {
  /// The node.
  public let node: NodeID
  /// The parent; ``NodeID/forestRoot`` for a root.
  public let parent: NodeID
  @usableFromInline let sequenceDepth: Int32
  /// The key, among all keys.
  public let key: ByteArena.Slice
  /// The object, among all objects; an empty slice stands for `null`.
  public let object: ByteArena.Slice

  init(_ node: NodeID, _ record: NodeRecord, depth: Int32) {
    self.node = node
    parent = record.parent
    sequenceDepth = depth
    key = record.key
    object = record.object
  }

  /// 0 for a root.
  @inlinable public var depth: Int { Int(sequenceDepth) - 1 }
}
