/// The fewest moves between two row lists. Rows with another parent or depth move, with their
/// descendants. Of the others, those outside a longest increasing subsequence move.
///
/// A node that was removed and inserted again under its key is a new node. A row that was below the
/// old one has another parent, despite the same key.
package struct FewestMoves {
  private let before: [ModelRow]
  private let after: [ModelRow]
  private let oldIndex: [Int: Int]

  /// Compares two row lists.
  package init(before: [ModelRow], after: [ModelRow]) {
    self.before = before
    self.after = after
    oldIndex = Dictionary(uniqueKeysWithValues: before.enumerated().map { ($1.identity, $0) })
  }

  /// The identities of the rows that stay. It is nil if a row would stay without its parent, as the
  /// fewest moves are then hard to determine.
  package var staying: Set<Int>? {
    let survivors = after.filter { oldIndex[$0.identity] != nil }
    var away = Set(survivors.filter(hasNewPlace).map(\.identity))
    for row in survivors {
      if let parent = parent(of: row), away.contains(parent.identity) { away.insert(row.identity) }
    }
    let stay = Set(longestIncreasing(survivors.filter { !away.contains($0.identity) }))
    let isTorn = survivors.contains { row in
      guard stay.contains(row.identity), let parent = parent(of: row) else { return false }
      return !stay.contains(parent.identity) && oldIndex[parent.identity] != nil
    }
    return isTorn ? nil : stay
  }

  private func hasNewPlace(_ row: ModelRow) -> Bool {
    guard let index = oldIndex[row.identity] else { return false }
    let old = before[index]
    return old.depth != row.depth || old.parent != row.parent
      || (row.parent == nil && old.sectionIdentity != row.sectionIdentity)
      || parent(of: old, in: before)?.identity != parent(of: row)?.identity
  }

  private func parent(of row: ModelRow) -> ModelRow? { parent(of: row, in: after) }

  private func parent(of row: ModelRow, in rows: [ModelRow]) -> ModelRow? {
    guard let key = row.parent else { return nil }
    return rows.first { $0.key == key }
  }

  /// Returns the identities of a longest increasing subsequence of the rows.
  private func longestIncreasing(_ rows: [ModelRow]) -> [Int] {
    let places = rows.compactMap { oldIndex[$0.identity] }
    var best: [(length: Int, last: Int?)] = []
    for place in places.indices {
      let before = (0..<place).filter { places[$0] < places[place] }
      let last = before.max { best[$0].length < best[$1].length }
      best.append((1 + (last.map { best[$0].length } ?? 0), last))
    }
    var next = best.indices.max { best[$0].length < best[$1].length }
    var kept: [Int] = []
    while let place = next {
      kept.append(rows[place].identity)
      next = best[place].last
    }
    return kept
  }
}
