internal import TreeDomain

/// Entries that have arrived and are not in their places, as the one who writes them knows it.
struct ArrivingEntries {
  /// Whether the rest is as it stands in the file: at the start, and when a transaction was taken
  /// back, that has to be read.
  var isKnown = false
  /// What has arrived in the running transaction, and is not written.
  var bundle = EntryBundle(ofOneTree: false)
  /// True if an entry was written in the running transaction that is too long to arrive.
  var isCountOwed = false
  /// All that is to be sorted.
  private(set) var members: [EntryBundle.Member] = []
  /// The place of the last entry of each tree of which something has arrived.
  private(set) var lastPlaces: [TreeNumber: Int] = [:]
  /// The numbers of rows that are damaged, in order.
  private(set) var damaged: [Int] = []

  /// Adds a row that was read.
  mutating func add(_ row: BundleRow) {
    if row.isWhole { members += row.members } else { damaged.append(row.id) }
    for member in row.members { note(member.place, of: member.tree) }
  }

  /// Adds an entry that is to be written.
  mutating func add(_ member: EntryBundle.Member) {
    bundle.add(member)
    members.append(member)
    note(member.place, of: member.tree)
  }

  /// Notes where an entry stands.
  mutating func note(_ place: Int, of tree: TreeNumber) {
    lastPlaces[tree] = max(place, lastPlaces[tree] ?? 0)
  }

  /// Leaves out what was sorted.
  mutating func removeSorted() {
    members.removeAll(keepingCapacity: true)
    lastPlaces.removeAll(keepingCapacity: true)
  }
}
