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
