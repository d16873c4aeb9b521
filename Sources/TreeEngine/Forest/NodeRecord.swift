/// The stored data of a node besides its sequence entry.
///
/// Its 24 bytes are together because they are mostly read together.
struct NodeRecord: Sendable {
  var parent = NodeID.forestRoot
  /// The child count, and the child state in the upper three bits.
  private var childBits: UInt32 = 0
  var key = ByteArena.Slice.empty
  var object = ByteArena.Slice.empty

  private static let countMask: UInt32 = 1 << 29 - 1

  /// The largest child count that can be stored.
  ///
  /// It exceeds the number of nodes of any tree.
  static let mostChildren = Int(countMask)

  init(childState: ChildState) { self.childState = childState }

  var childCount: Int32 {
    get { Int32(childBits & Self.countMask) }
    set { childBits = childBits & ~Self.countMask | UInt32(newValue) }
  }

  var childState: ChildState {
    get {
      guard let state = ChildState(rawValue: UInt8(childBits >> 29)) else {
        preconditionFailure("a child state that is none")
      }
      return state
    }
    set { childBits = childBits & Self.countMask | UInt32(newValue.rawValue) << 29 }
  }
}

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

/// The state of a node's children.
public enum ChildState: UInt8, Sendable {
  /// The node cannot have children and cannot be expanded.
  case leaf
  /// The node may have children. None were supplied yet.
  case unloaded
  /// The children are being fetched.
  case loading
  /// The fetch of the children failed.
  case failed
  /// All children are known. There may be none.
  case loaded

  /// Returns the number of children to show, or the hint as long as none were supplied.
  func shownCount(_ count: Int32, hint: @autoclosure () -> Int32?) -> Int32? {
    switch self {
    case .leaf, .loaded: count
    case .unloaded, .loading, .failed: count > 0 ? count : hint()
    }
  }
}
