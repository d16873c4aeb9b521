/// A node to be inserted, its strings given as ranges of a byte array beside it.
public struct NewNode: Equatable, Sendable {
  @usableFromInline var packedKey: PackedRange
  @usableFromInline var packedObject: PackedRange
  @usableFromInline var storedDepth: Int32
  /// How many children it is said to have, while nobody supplied them.
  public var hint: Int32?
  /// What is known about its children.
  public var childState: ChildState

  /// Creates a description of a node.
  ///
  /// - Precondition: The ranges are as ``PackedRange`` wants them, and the depth below 2³¹.
  @inlinable
  @inline(__always)
  public init(
    key: Range<Int>,
    object: Range<Int>,
    depth: Int,
    childState: ChildState,
    hint: Int32? = nil
  ) {
    packedKey = PackedRange(key)
    packedObject = PackedRange(object)
    storedDepth = Int32(depth)
    self.childState = childState
    self.hint = hint
  }

  /// The key's bytes.
  @inlinable public var key: Range<Int> {
    get { packedKey.range }
    set { packedKey = PackedRange(newValue) }
  }

  /// The object's bytes; an empty range stands for `null`.
  @inlinable public var object: Range<Int> {
    get { packedObject.range }
    set { packedObject = PackedRange(newValue) }
  }

  /// Depth below the first node of the list, whose own is 0.
  ///
  /// At most one more than the depth of the node before.
  @inlinable public var depth: Int {
    get { Int(storedDepth) }
    set { storedDepth = Int32(newValue) }
  }
}
