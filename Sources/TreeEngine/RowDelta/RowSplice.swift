/// A deletion or insertion of consecutive rows in a view.
struct RowSplice<Width: NodeWidth>: Sendable {
  typealias Listed = RowDelta<Width>.Listed

  /// The reason of a splice, as far as it matters.
  enum Cause: UInt8, Sendable {
    /// A half of an unlisted move.
    case unlistedMove
    /// The removal of nodes, which do not come back.
    case removal
    case other
  }

  /// The deleted rows in order, or nil if they need not be listed.
  var listed: [Listed]?
  /// The index of the first row at the time of the change.
  var row: Int32
  /// The number of rows.
  var count: Int32
  var isDeletion: Bool
  var cause = Cause.other

  /// Makes a deletion.
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

/// The changes of a view's rows, as long as there are two at most.
///
/// Mostly a subtree was inserted, deleted or moved.
struct FewSplices<Width: NodeWidth>: Sendable {
  var first: RowSplice<Width>?
  var second: RowSplice<Width>?

  var isEmpty: Bool { first == nil }

  /// Adds the next splice.
  ///
  /// - Returns: True if there was room.
  mutating func add(_ next: RowSplice<Width>) -> Bool {
    guard first != nil else {
      first = next
      return true
    }
    guard second == nil else { return false }
    second = next
    return true
  }

  /// True if they are the two halves of an unlisted move.
  var isUnlistedMove: Bool {
    guard let first, let second else { return false }
    return first.cause == .unlistedMove && second.cause == .unlistedMove
      && first.isDeletion && !second.isDeletion && first.count == second.count
  }

  /// The rows of a single insertion; empty if nothing changed, nil after any other change.
  var rowsCome: Range<Int32>? {
    guard let come = first else { return 0..<0 }
    guard second == nil, !come.isDeletion, come.cause == .other else { return nil }
    return come.row..<(come.row + come.count)
  }

  /// Sets all causes to `other`, so that only deletions and insertions remain.
  mutating func forgetCauses() {
    if first?.cause ?? .other != .other { first?.cause = .other }
    if second?.cause ?? .other != .other { second?.cause = .other }
  }

  mutating func removeAll() {
    first = nil
    second = nil
  }

  /// Replaces node ids by their new ones.
  mutating func renumber(_ new: NodeRenumbering) {
    if let rows = first?.listed { first?.listed = rows.map { new.of($0) } }
    if let rows = second?.listed { second?.listed = rows.map { new.of($0) } }
  }
}

extension RowDelta {
  /// Applies splices in order.
  mutating func apply(_ splices: FewSplices<Width>) {
    if let first = splices.first { apply(first) }
    if let second = splices.second { apply(second) }
  }

  /// Applies a splice.
  ///
  /// See ``delete(at:count:rows:cause:)``.
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
