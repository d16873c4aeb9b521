/// What places a row, and where its strings lie.
public struct OutlinedRow: Sendable {
  /// The node.
  public let node: NodeID
  /// The parent; ``NodeID/forestRoot`` for a root.
  public let parent: NodeID
  private let sequenceDepth: Int32
  private let keySlice: ByteArena.Slice
  private let objectSlice: ByteArena.Slice

  init(_ node: NodeID, _ record: NodeRecord, depth: Int32) {
    self.node = node
    parent = record.parent
    sequenceDepth = depth
    keySlice = record.key
    objectSlice = record.object
  }

  /// 0 for a root.
  public var depth: Int { Int(sequenceDepth) - 1 }

  /// Where the key lies in the bytes of all keys.
  public var key: Range<Int> { keySlice.range }

  /// Where the object lies in the bytes of all objects; an empty range stands for `null`.
  public var object: Range<Int> { objectSlice.range }
}
