internal import TreeDomain

/// The entries in the table `bundles`, by tree, as the reading connection knows them.
///
/// Rows are numbered in the order in which they are written, and no number is used twice. All rows
/// are removed together, except damaged ones. So if the newest intact row that was read still
/// exists, every row that was read still exists.
struct Arrivals {
  /// The entries of each tree that has any, in order.
  private(set) var members: [TreeNumber: [EntryBundle.Member]] = [:]
  /// The number of the newest row that was read.
  private(set) var newest = 0
  /// The number of the newest row without damage; `nil` if there is none.
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
  /// True if all entries are as they were written.
  let isWhole: Bool

  init(_ id: Int, _ members: [EntryBundle.Member]) {
    self.id = id
    self.members = members
    isWhole = members.allSatisfy(\.isWhole)
  }
}
