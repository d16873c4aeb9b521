/// What is stored of a node besides its entry in the sequence: 24 bytes in one place, since whoever
/// looks at one of them looks at others.
struct NodeRecord: Sendable {
  var parent = NodeID.forestRoot
  /// The child count, and in the upper three bits the child state.
  private var childBits: UInt32 = 0
  var key = ByteArena.Slice.empty
  var object = ByteArena.Slice.empty

  private static let countMask: UInt32 = 1 << 29 - 1

  /// More children than any node has.
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
