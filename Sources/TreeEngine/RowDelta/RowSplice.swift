/// Rows that go, or rows that come, in one place: a step of a transaction as one view sees it.
struct RowSplice<Width: NodeWidth>: Sendable {
  typealias Listed = RowDelta<Width>.Listed

  /// What made rows go or come, where that matters.
  enum Cause: UInt8, Sendable {
    /// One of the two halves of a move that is not listed.
    case unlistedMove
    /// The nodes are removed, and will not come back.
    case removal
    case other
  }

  /// The first of the rows, as counted at that moment.
  var row: Int32
  /// How many there are.
  var count: Int32
  var isDeletion: Bool
  var cause = Cause.other
  /// The rows that go, in order; nil when their identity is of no interest.
  var listed: [Listed]?

  /// Rows that go because their nodes are removed.
  static func removal(of rows: Range<Int32>, listed: [Listed]?) -> RowSplice {
    let count = Int32(rows.count)
    return RowSplice(
      row: rows.lowerBound,
      count: count,
      isDeletion: true,
      cause: .removal,
      listed: listed
    )
  }
}

extension RowDelta {
  /// Splices rows out or in; see ``delete(at:count:rows:cause:)``.
  mutating func apply(_ splice: RowSplice<Width>) {
    if splice.isDeletion {
      delete(at: splice.row, count: splice.count, rows: splice.listed, cause: splice.cause)
    } else {
      insert(at: splice.row, count: splice.count, isMoveHalf: splice.cause == .unlistedMove)
    }
  }
}
