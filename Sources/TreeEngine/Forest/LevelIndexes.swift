/// The level indexes that a tree's views need: one for each number of levels that some rule names.
///
/// No rule of *all* or of no levels needs one. They are few (whoever adds views sees to that) and
/// looked for one by one.
struct LevelIndexes<Width: NodeWidth>: Sendable {
  private var indexes: [LevelIndex<Width>] = []
  /// How many levels each is about: what they are looked for by.
  private var levels: [Int32] = []
  /// How many views use each.
  private var users: [Int] = []

  /// How many there are.
  var count: Int { indexes.count }

  /// The bytes that they take.
  ///
  /// - Complexity: O(indexes).
  var byteCount: Int { indexes.reduce(0) { $0 + $1.byteCount } }

  private func slot(levels: Int32) -> Int? { self.levels.firstIndex(of: levels) }

  /// Whether a rule needs an index.
  static func isNeeded(for rule: ExpansionRule) -> Bool { rule.levels ?? 0 > 0 }

  /// Whether there is the index that a rule needs, if it needs one.
  func hasIndex(for rule: ExpansionRule) -> Bool {
    guard let levels = rule.levels, levels > 0 else { return true }
    return slot(levels: levels) != nil
  }

  /// Makes sure that there is an index for one more user of a rule.
  ///
  /// - Complexity: O(1); for the first user that of making an index.
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

  /// Lets go of an index for one user of a rule.
  mutating func release(for rule: ExpansionRule) {
    guard let levels = rule.levels, let slot = slot(levels: levels) else { return }
    users[slot] -= 1
    if users[slot] == 0 {
      indexes.remove(at: slot)
      self.levels.remove(at: slot)
      users.remove(at: slot)
    }
  }

  /// Rows before a position that a rule of levels alone would show, the forest root counted.
  ///
  /// - Precondition: the index for so many levels is held.
  /// - Complexity: O(log *n*).
  func count(
    before position: Int32,
    levels: Int32,
    in forest: borrowing Forest<Width>
  ) -> Int32 {
    guard let slot = slot(levels: levels) else { preconditionFailure("a level index is missing") }
    return indexes[slot].count(before: position, in: forest)
  }

  /// Where the `index`-th of those stands.
  ///
  /// - Precondition: the index for so many levels is held.
  /// - Complexity: O(log *n*).
  func place(
    at index: Int32,
    levels: Int32,
    in forest: borrowing Forest<Width>
  ) -> Forest<Width>.Place {
    guard let slot = slot(levels: levels) else { preconditionFailure("a level index is missing") }
    return indexes[slot].place(at: index, in: forest)
  }

  /// Makes each anew for a forest whose sequence was built anew.
  mutating func rebuild(of forest: borrowing Forest<Width>) {
    for slot in indexes.indices {
      indexes[slot] = LevelIndex(deepest: indexes[slot].deepest, of: forest)
    }
  }

  /// Follows the forest; see ``LevelIndex/follow(from:to:in:)``.
  mutating func follow(from start: Int32, to end: Int32, in forest: borrowing Forest<Width>) {
    for slot in indexes.indices { indexes[slot].follow(from: start, to: end, in: forest) }
  }

  /// Compares each with a fresh one; for tests.
  func checkInvariants(in forest: borrowing Forest<Width>) {
    for index in indexes { index.checkInvariants(in: forest) }
  }
}
