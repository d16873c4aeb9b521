/// Names a node of one tree, for as long as the node is in it.
///
/// A dense index into the tree's arenas; a removed node's id is given to a later one once the
/// transaction that removed it is committed.
public struct NodeID: Hashable, Sendable, BitwiseCopyable {
  /// The place in the arenas.
  public let index: Int32

  init(_ index: Int32) { self.index = index }

  /// The node above all roots: it holds no key, is no row, and is always expanded.
  public static let forestRoot = NodeID(0)

  var offset: Int { Int(index) }
}
