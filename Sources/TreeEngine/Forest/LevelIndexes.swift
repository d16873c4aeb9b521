/// The level indexes that a tree's views need: one for each number of levels that some rule names.
///
/// No rule of *all* or of no levels needs one. They are few and looked for one by one.
struct LevelIndexes<Width: NodeWidth>: Sendable {
  private var indexes: [LevelIndex<Width>] = []
  /// How many views use each.
  private var users: [Int] = []

  private func slot(levels: Int32) -> Int? { indexes.firstIndex { $0.deepest == levels + 1 } }

  /// Whether a rule needs an index.
  static func isNeeded(for rule: ExpansionRule) -> Bool { rule.levels ?? 0 > 0 }

  /// Makes sure that there is an index for one more user of a rule.
  ///
  /// - Complexity: O(1); for the first user O(*k*) in the entries it holds.
  mutating func retain(for rule: ExpansionRule, of forest: borrowing Forest<Width>) {
    guard let levels = rule.levels, levels > 0 else { return }
    if let slot = slot(levels: levels) {
      users[slot] += 1
    } else {
      indexes.append(LevelIndex(deepest: levels + 1, of: forest))
      users.append(1)
    }
  }

  /// Lets go of an index for one user of a rule.
  mutating func release(for rule: ExpansionRule) {
    guard let levels = rule.levels, let slot = slot(levels: levels) else { return }
    users[slot] -= 1
    if users[slot] == 0 {
      indexes.remove(at: slot)
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

  /// The node of the `index`-th of those.
  ///
  /// - Precondition: the index for so many levels is held.
  /// - Complexity: O(log *n*).
  func node(at index: Int32, levels: Int32) -> NodeID {
    guard let slot = slot(levels: levels) else { preconditionFailure("a level index is missing") }
    return indexes[slot].node(at: index)
  }

  /// Follows the nodes to their new ids.
  mutating func renumber(_ new: NodeRenumbering) {
    for slot in indexes.indices { indexes[slot].renumber(new) }
  }

  /// Takes in the entries of subtrees that were just linked side by side.
  mutating func add(from position: Int32, count: Int32, in forest: borrowing Forest<Width>) {
    for slot in indexes.indices {
      indexes[slot].add(from: position, count: count, in: forest)
    }
  }

  /// Lets go of the entries of subtrees side by side that are about to be cut out.
  mutating func remove(
    from place: Forest<Width>.Place,
    to end: Int32,
    in forest: borrowing Forest<Width>
  ) {
    for slot in indexes.indices { indexes[slot].remove(from: place, to: end, in: forest) }
  }

  /// Compares each with a fresh one; for tests.
  func checkInvariants(in forest: borrowing Forest<Width>) {
    for index in indexes { index.checkInvariants(in: forest) }
  }
}
