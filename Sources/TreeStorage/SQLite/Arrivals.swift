internal import TreeDomain

/// Entries that have arrived and are not in their places, by tree, as far as they were read.
///
/// The rows they come in are numbered as they come, and go all at once, but for those that are
/// damaged; no number comes twice. So where the newest row is still there that is known and whole,
/// all are that are known.
struct Arrivals {
  /// The entries of each tree that has any, in order.
  private(set) var members: [TreeNumber: [EntryBundle.Member]] = [:]
  /// The number of the newest row.
  private(set) var newest = 0
  /// That of the newest one in which nothing is damaged; `nil` where there is none.
  private(set) var newestWhole: Int?

  /// Adds a row, unless it is known.
  mutating func add(_ row: BundleRow) {
    guard row.id > newest else { return }
    newest = row.id
    if row.isWhole { newestWhole = row.id }
    for member in row.members { members[member.tree, default: []].append(member) }
  }
}

/// A row of the table `bundles`.
struct BundleRow {
  let id: Int
  let members: [EntryBundle.Member]
  /// Whether all are as they were written.
  let isWhole: Bool

  init(_ id: Int, _ members: [EntryBundle.Member]) {
    self.id = id
    self.members = members
    isWhole = members.allSatisfy(\.isWhole)
  }
}
