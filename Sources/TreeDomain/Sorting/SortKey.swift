/// What a ``SortOrder`` read from one node: bytes that stand in the order of the nodes.
public struct SortKey: Comparable, Sendable {
  let bytes: [UInt8]

  /// The number of its bytes.
  public var byteCount: Int { bytes.count }

  /// Returns true if the node of the left key comes first.
  ///
  /// - Precondition: Both keys are of the same order.
  public static func < (left: SortKey, right: SortKey) -> Bool {
    left.bytes.lexicographicallyPrecedes(right.bytes)
  }
}
