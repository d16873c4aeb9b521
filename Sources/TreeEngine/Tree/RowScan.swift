/// The place of a row in a sequence of rows in pre-order.
protocol PreorderPlace: Sendable {
  var depth: Int32 { get }
}

/// Collects consecutive rows, and derives from their order what otherwise needs a search for each.
///
/// These are the positions among siblings, and the numbers of descendants of rows whose subtree
/// ends on the page.
struct RowScan<Place: PreorderPlace>: ~Copyable {
  private(set) var rows: [ViewRow] = []
  private let first: Int
  /// The rows whose subtrees have not ended yet, outermost first: their places, and indexes in
  /// `rows`.
  private var open: [(place: Place, row: Int)] = []

  init(first: Int, capacity: Int) {
    self.first = first
    rows.reserveCapacity(capacity)
  }

  /// Returns a row's position among its siblings; nil if the collected rows do not determine it.
  ///
  /// Ends the subtrees that the row is not in.
  mutating func position(of place: Place, parent: NodeID) -> Int? {
    var closed: Int?
    while let last = open.last, last.place.depth >= place.depth {
      rows[last.row].visibleDescendantCount = rows.count - last.row - 1
      closed = last.row
      open.removeLast()
    }
    if let closed, rows[closed].parent == parent { return rows[closed].position + 1 }
    return open.last.map { rows[$0.row].node == parent ? 0 : nil } ?? nil
  }

  mutating func append(_ row: ViewRow, at place: Place) {
    open.append((place, rows.count))
    rows.append(row)
    rows[rows.count - 1].index = first + rows.count - 1
  }

  /// Ends the page.
  ///
  /// - Parameter descendants: Counts the descendants of a row whose subtree goes beyond the page.
  /// - Returns: The rows.
  consuming func finish(_ descendants: (Place) -> Int) -> [ViewRow] {
    for (place, row) in open { rows[row].visibleDescendantCount = descendants(place) }
    return rows
  }
}
