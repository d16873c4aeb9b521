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

  /// The rows that go, in order; nil when their identity is of no interest.
  var listed: [Listed]?
  /// The first of the rows, as counted at that moment.
  var row: Int32
  /// How many there are.
  var count: Int32
  var isDeletion: Bool
  var cause = Cause.other

  /// Rows that go.
  static func deletion(of rows: Range<Int32>, listed: [Listed]?, _ cause: Cause) -> RowSplice {
    RowSplice(
      listed: listed,
      row: rows.lowerBound,
      count: Int32(rows.count),
      isDeletion: true,
      cause: cause
    )
  }
}

/// What happened to a view's rows, as long as it is no more than two things, as it mostly is: a
/// subtree came, went or moved.
struct FewSplices<Width: NodeWidth>: Sendable {
  var first: RowSplice<Width>?
  var second: RowSplice<Width>?

  var isEmpty: Bool { first == nil }

  /// Adds what happened next.
  ///
  /// - Returns: whether there was room.
  mutating func add(_ next: RowSplice<Width>) -> Bool {
    guard first != nil else {
      first = next
      return true
    }
    guard second == nil else { return false }
    second = next
    return true
  }

  /// Whether they are the two halves of a move that is not listed.
  var isUnlistedMove: Bool {
    guard let first, let second else { return false }
    return first.cause == .unlistedMove && second.cause == .unlistedMove
      && first.isDeletion && !second.isDeletion && first.count == second.count
  }

  /// The rows that came in one place, none where none did; nil where more has happened.
  var rowsCome: Range<Int32>? {
    guard let come = first else { return 0..<0 }
    guard second == nil, !come.isDeletion, come.cause == .other else { return nil }
    return come.row..<(come.row + come.count)
  }

  /// From now on they are rows that went and rows that came, whyever they did.
  mutating func forgetCauses() {
    if first?.cause ?? .other != .other { first?.cause = .other }
    if second?.cause ?? .other != .other { second?.cause = .other }
  }

  mutating func removeAll() {
    first = nil
    second = nil
  }

  /// Follows the nodes to their new ids.
  mutating func renumber(_ new: NodeRenumbering) {
    if let rows = first?.listed { first?.listed = rows.map { new.of($0) } }
    if let rows = second?.listed { second?.listed = rows.map { new.of($0) } }
  }
}

extension RowDelta {
  /// Splices rows out or in, one after the other.
  mutating func apply(_ splices: FewSplices<Width>) {
    if let first = splices.first { apply(first) }
    if let second = splices.second { apply(second) }
  }

  /// Splices rows out or in; see ``delete(at:count:rows:cause:)``.
  mutating func apply(_ splice: RowSplice<Width>) {
    setChanging(true)
    defer { setChanging(false) }
    if splice.isDeletion {
      delete(at: splice.row, count: splice.count, rows: splice.listed, cause: splice.cause)
    } else {
      insert(at: splice.row, count: splice.count, isMoveHalf: splice.cause == .unlistedMove)
    }
  }
}
