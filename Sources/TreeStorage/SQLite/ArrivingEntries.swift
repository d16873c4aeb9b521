internal import TreeDomain

/// The entries in the table `bundles`, as the writing connection knows them.
struct ArrivingEntries {
  /// True if the other properties agree with the file.
  ///
  /// They have to be read first at the start and after a rollback.
  var isKnown = false
  /// The entries of the running transaction that are not written yet.
  var bundle = EntryBundle(ofOneTree: false)
  /// True if the running transaction wrote an entry that is too long for `bundles`.
  ///
  /// The transaction must then add a row to `bundles` in any case; see
  /// ``SQLiteConnection/writeBundle()``.
  var isCountOwed = false
  /// The entries in `bundles`, which must still be moved to the table `entries`.
  private(set) var members: [EntryBundle.Member] = []
  /// The place of the last entry of each tree that has entries in `bundles`.
  private(set) var lastPlaces: [TreeNumber: Int] = [:]
  /// The numbers of damaged rows, ascending.
  private(set) var damaged: [Int] = []

  /// Adds a row that was read.
  mutating func add(_ row: BundleRow) {
    if row.isWhole { members += row.members } else { damaged.append(row.id) }
    for member in row.members { record(member.place, of: member.tree) }
  }

  /// Adds an entry of the running transaction.
  mutating func add(_ member: EntryBundle.Member) {
    bundle.add(member)
    members.append(member)
    record(member.place, of: member.tree)
  }

  /// Records the place of an entry.
  mutating func record(_ place: Int, of tree: TreeNumber) {
    lastPlaces[tree] = max(place, lastPlaces[tree] ?? 0)
  }

  /// Removes the entries after they were moved to the table `entries`.
  mutating func removeSorted() {
    members.removeAll(keepingCapacity: true)
    lastPlaces.removeAll(keepingCapacity: true)
  }
}
