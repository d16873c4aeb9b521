/// Rows that go, or rows that come, in one place: a step of a transaction as one view sees it.
struct RowSplice<Width: NodeWidth>: Sendable {
  typealias Listed = RowDelta<Width>.Listed

  /// The first of the rows, as counted at that moment.
  var row: Int32
  /// How many there are.
  var count: Int32
  var isDeletion: Bool
  /// One of the two halves of a move that is not listed.
  var isMoveHalf = false
  /// The rows that go, in order; nil when their identity is of no interest.
  var listed: [Listed]?
}

extension RowDelta {
  /// Splices rows out or in; see ``delete(at:count:rows:isMoveHalf:)``.
  mutating func apply(_ splice: RowSplice<Width>) {
    if splice.isDeletion {
      delete(
        at: splice.row,
        count: splice.count,
        rows: splice.listed,
        isMoveHalf: splice.isMoveHalf
      )
    } else {
      insert(at: splice.row, count: splice.count, isMoveHalf: splice.isMoveHalf)
    }
  }
}
