public import TreeEngine

/// A list of operations that is applied all or none.
public struct Batch: Equatable, Sendable {
  /// What all slices point into: the request's body, and behind it the strings that had escapes.
  public var bytes: [UInt8]
  /// The operations, in order.
  public var operations: [Operation]
  /// The nodes of all operations; their ranges are of ``bytes``.
  public var nodes: [NewNode]
  /// The keys of operations that may name several nodes.
  public var keys: [ByteSlice]
  /// The orders that operations name.
  public var orders: [SortOrder]
  /// The sections that nested roots name, by their positions in ``nodes``.
  public var rootSections: [Int: ByteSlice]
  /// What it was read from; `nil` for one that was put together otherwise.
  public var source: Source?

  /// The request that a batch was read from.
  public struct Source: Equatable, Sendable {
    /// The one operation that the path said; `nil` where the body listed operations.
    public var single: SingleOperation?
    /// The key, or the section, that was named beside the body.
    public var named: ByteSlice?
    /// How many of the first ``Batch/bytes`` are the body.
    public var bodyCount: Int
  }

  /// Makes a batch.
  public init(
    bytes: [UInt8],
    operations: [Operation],
    nodes: [NewNode],
    keys: [ByteSlice] = [],
    orders: [SortOrder] = [],
    rootSections: [Int: ByteSlice] = [:]
  ) {
    self.bytes = bytes
    self.operations = operations
    self.nodes = nodes
    self.keys = keys
    self.orders = orders
    self.rootSections = rootSections
  }

  /// The key whose row the answer places: the first one of the last `reveal`; `nil` without one.
  ///
  /// - Complexity: O(operations).
  public var revealedKey: ByteSlice? {
    for operation in operations.reversed() {
      if case .reveal(let keys, _) = operation { return self.keys[keys.offset] }
    }
    return nil
  }

  /// The bytes of a slice.
  public subscript(_ slice: ByteSlice) -> ArraySlice<UInt8> { bytes[slice.range] }

  /// The bytes of a range, as nodes have them.
  public subscript(_ range: Range<Int>) -> ArraySlice<UInt8> { bytes[range] }
}
