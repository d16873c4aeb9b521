/// The effects of a commit, against which the same transaction on a fork is checked.
public struct CommitRecord<Width: NodeWidth>: Sendable {
  /// The number of the commit.
  let number: Int
  /// The nodes that it made.
  let made: [NodeID]
  /// The nodes that it removed.
  let removed: [NodeID]
  /// Its effects on views, by slot.
  var views: [Int: PastView<Width>] = [:]

  /// The approximate memory in bytes.
  public var byteCount: Int {
    let rows = views.values.reduce(0) { $0 + $1.byteCount }
    return made.byteCount + removed.byteCount + rows
      + views.count * 2 * MemoryLayout<PastView<Width>>.stride
  }

  init(number: Int, made: [NodeID], removed: [NodeID]) {
    (self.number, self.made, self.removed) = (number, made, removed)
  }
}

extension SizedTree {
  /// Removes and returns the record of the last commit; nil if it was not recorded.
  ///
  /// - Complexity: O(1).
  public mutating func popRecord() -> CommitRecord<Width>? { record.take() }
}
