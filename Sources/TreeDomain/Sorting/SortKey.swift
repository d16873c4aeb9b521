/// The sort key of a node in a ``SortOrder``: bytes whose lexicographic order is that of the nodes.
package struct SortKey: Comparable, Sendable {
  let bytes: [UInt8]

  /// The size of the key in bytes.
  package var byteCount: Int { bytes.count }

  /// Returns true if the node of the left key comes first.
  ///
  /// - Precondition: Both keys are of the same order.
  package static func < (left: SortKey, right: SortKey) -> Bool {
    left.bytes.lexicographicallyPrecedes(right.bytes)
  }
}
