/// A node to be inserted; its key and object are ranges of a byte array.
public struct NewNode: Equatable, Sendable {
  @usableFromInline var packedKey: PackedRange
  @usableFromInline var packedObject: PackedRange
  @usableFromInline var storedDepth: Int32
  /// The number of children to report while they are not loaded; nil if unknown.
  public var hint: Int32?
  /// The state of its children.
  public var childState: ChildState

  /// Creates a description of a node.
  ///
  /// - Precondition: The ranges satisfy ``PackedRange/init(offset:count:)``, and `depth` is below
  ///   2³¹.
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

  /// The depth below the first node of the list, which has depth 0.
  ///
  /// It is at most one more than the depth of the node before.
  @inlinable public var depth: Int {
    get { Int(storedDepth) }
    set { storedDepth = Int32(newValue) }
  }
}
