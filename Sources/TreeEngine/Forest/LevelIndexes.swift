/// The level indexes that a tree's views need: one for each number of levels that a rule names.
///
/// ``ExpansionRule/all`` and rules of no levels need none. The caller limits their number, so a
/// linear search is enough.
struct LevelIndexes<Width: NodeWidth>: Sendable {
  private var indexes: [LevelIndex<Width>] = []
  /// The number of levels of each index.
  private var levels: [Int32] = []
  /// The number of views that use each index.
  private var users: [Int] = []

  /// The number of indexes.
  var count: Int { indexes.count }

  /// The size of all indexes in bytes.
  ///
  /// - Complexity: O(indexes).
  var byteCount: Int { indexes.reduce(0) { $0 + $1.byteCount } }

  private func slot(levels: Int32) -> Int? { self.levels.firstIndex(of: levels) }

  /// Returns true if a rule needs an index.
  static func isNeeded(for rule: ExpansionRule) -> Bool { rule.levels ?? 0 > 0 }

  /// Returns true if a rule needs no index or its index exists.
  func hasIndex(for rule: ExpansionRule) -> Bool {
    guard let levels = rule.levels, levels > 0 else { return true }
    return slot(levels: levels) != nil
  }

  /// Retains the index of a rule for one more user, and makes it if needed.
  ///
  /// - Complexity: O(1); for the first user that of ``LevelIndex/init(deepest:of:)``.
  mutating func retain(for rule: ExpansionRule, of forest: borrowing Forest<Width>) {
    guard let levels = rule.levels, levels > 0 else { return }
    if let slot = slot(levels: levels) {
      users[slot] += 1
    } else {
      indexes.append(LevelIndex(deepest: levels + 1, of: forest))
      self.levels.append(levels)
      users.append(1)
    }
  }

  /// Releases the index of a rule for one user.
  mutating func release(for rule: ExpansionRule) {
    guard let levels = rule.levels, let slot = slot(levels: levels) else { return }
    users[slot] -= 1
    if users[slot] == 0 {
      indexes.remove(at: slot)
      self.levels.remove(at: slot)
      users.remove(at: slot)
    }
  }

  /// Returns the number of entries before a position that a rule of levels alone shows.
  ///
  /// The forest root is counted, too.
  ///
  /// - Precondition: The index for this number of levels exists.
  /// - Complexity: O(log *n*).
  func count(
    before position: Int32,
    levels: Int32,
    in forest: borrowing Forest<Width>
  ) -> Int32 {
    guard let slot = slot(levels: levels) else { preconditionFailure("a level index is missing") }
    return indexes[slot].count(before: position, in: forest)
  }

  /// Returns the place of the `index`-th entry that a rule of levels alone shows.
  ///
  /// The forest root has index 0.
  ///
  /// - Precondition: The index for this number of levels exists.
  /// - Complexity: O(log *n*).
  func place(
    at index: Int32,
    levels: Int32,
    in forest: borrowing Forest<Width>
  ) -> Forest<Width>.Place {
    guard let slot = slot(levels: levels) else { preconditionFailure("a level index is missing") }
    return indexes[slot].place(at: index, in: forest)
  }

  /// Rebuilds all indexes after the forest's sequence was rebuilt.
  mutating func rebuild(of forest: borrowing Forest<Width>) {
    for slot in indexes.indices {
      indexes[slot] = LevelIndex(deepest: indexes[slot].deepest, of: forest)
    }
  }

  /// Updates all indexes after a change of the forest.
  ///
  /// See ``LevelIndex/follow(from:to:in:)``.
  mutating func follow(from start: Int32, to end: Int32, in forest: borrowing Forest<Width>) {
    for slot in indexes.indices { indexes[slot].follow(from: start, to: end, in: forest) }
  }

  /// Compares each index with a new one.
  ///
  /// For tests.
  func checkInvariants(in forest: borrowing Forest<Width>) {
    for index in indexes { index.checkInvariants(in: forest) }
  }
}
