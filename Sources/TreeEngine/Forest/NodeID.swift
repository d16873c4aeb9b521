/// The id of a node in one tree, valid until the node is removed or the tree is compacted.
///
/// It is a dense index into the tree's arrays. The id of a removed node is reused after the
/// transaction that removed it is committed and the history no longer names the node.
public struct NodeID: Hashable, Sendable, BitwiseCopyable {
  /// The index in the tree's arrays.
  public let index: Int32

  init(_ index: Int32) { self.index = index }

  /// The parent of all roots.
  ///
  /// It has no key, is not a row and is always expanded.
  public static let forestRoot = NodeID(0)

  var offset: Int { Int(index) }
}
