package import TreeEngine

/// A list of operations that are applied all or none.
package struct Batch: Equatable, Sendable {
  /// The bytes that all slices refer to: the body of the request, then decoded strings with
  /// escapes.
  package var bytes: [UInt8]
  /// The operations in order.
  package var operations: [Operation]
  /// The nodes of all operations.
  ///
  /// Their ranges refer to ``bytes``.
  package var nodes: [NewNode]
  /// The keys of operations that can name several nodes: each such operation has a range of them.
  package var keys: [ByteSlice]
  /// The sort orders of operations.
  package var orders: [SortOrder]
  /// The sections of nested roots, by their positions in ``nodes``.
  package var rootSections: [Int: ByteSlice]
  /// The request it was read from; `nil` if it was made otherwise.
  package var source: Source?

  /// The request that a batch was read from.
  package struct Source: Equatable, Sendable {
    /// The operation of the path; `nil` if the body listed operations.
    package var single: SingleOperation?
    /// The key of the path or the section of the query.
    package var named: ByteSlice?
    /// The size of the body, which is the start of ``Batch/bytes``, in bytes.
    package var bodyCount: Int
  }

  /// Makes a batch.
  package init(
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

  /// The key whose row index the answer contains: the first key of the last `reveal`, or `nil`.
  ///
  /// - Complexity: O(operations).
  package var revealedKey: ByteSlice? {
    for operation in operations.reversed() {
      if case .view(.reveal(let keys, _)) = operation { return self.keys[keys.offset] }
    }
    return nil
  }

  /// The approximate memory of the decoded operations in bytes, besides that of the body.
  ///
  /// - Complexity: O(orders).
  package var heldBytes: Int {
    let strings = bytes.count > source?.bodyCount ?? 0 ? bytes.capacity : 0
    return strings + operations.capacity * MemoryLayout<Operation>.stride
      + nodes.capacity * MemoryLayout<NewNode>.stride
      + keys.capacity * MemoryLayout<ByteSlice>.stride
      + orders.reduce(0) { $0 + $1.byteCount + 2 * MemoryLayout<SortOrder>.stride }
      + rootSections.capacity * 2 * MemoryLayout<(Int, ByteSlice)>.stride
  }

  /// The bytes of a slice.
  package subscript(_ slice: ByteSlice) -> ArraySlice<UInt8> { bytes[slice.range] }

  /// The bytes of a range.
  package subscript(_ range: Range<Int>) -> ArraySlice<UInt8> { bytes[range] }
}
