import TreeDomain

/// A session's revision, and which of the tree's commits each kept one stands for.
///
/// Some commits change the data of the tree, and so every session of it; those are written down
/// once for all. What is kept here are the others, which changed this session alone.
struct RevisionLog {
  let data: DataCommits
  /// How many commits had changed the data before the session began.
  let dataBefore: UInt64
  /// The commit at which it began, at revision 0; nil where that is not known any more.
  let start: Int?
  /// How many commits changed the session alone.
  private(set) var ownCount: UInt64 = 0
  /// The newest of those, oldest first.
  var own: [(revision: Revision, commit: Int)] = []

  /// A session that begins at revision 0 after a commit.
  init(startingAt commit: Int, _ data: DataCommits) {
    self.data = data
    dataBefore = data.count
    start = commit
  }

  /// One that goes on as it was.
  init(data: DataCommits, dataBefore: UInt64, start: Int?, ownCount: UInt64) {
    (self.data, self.dataBefore, self.start) = (data, dataBefore, start)
    self.ownCount = ownCount
  }

  /// One that goes on at a revision after a commit; how it came there is not known any more.
  init(goingOnAt revision: Revision, commit: Int, _ data: DataCommits) {
    // Whatever led there counts as its own.
    self.init(
      data: data,
      dataBefore: data.count,
      start: revision.number == 0 ? commit : nil,
      ownCount: revision.number
    )
    if revision.number > 0 { own = [(revision, commit)] }
  }

  var current: Revision { Revision(data.count - dataBefore + ownCount) }

  /// Counts a commit that changed the session alone.
  ///
  /// - Parameters:
  ///   - commit: Its number.
  ///   - limit: How many before it stay known.
  mutating func advance(to commit: Int, keeping limit: Int) {
    ownCount += 1
    own.append((current, commit))
    if own.count > 2 * (limit + 1) { own.removeFirst(own.count - limit - 1) }
  }

  /// The commit after which the session was at a revision; nil where that is not known any more.
  ///
  /// - Precondition: `revision` is not above the current one.
  /// - Complexity: O(log *k*) for *k* commits of its own.
  func commit(at revision: Revision) -> Int? {
    if revision.number == 0 { return start }
    var low = 0
    var high = own.count
    while low < high {
      let middle = (low + high) / 2
      if own[middle].revision <= revision { low = middle + 1 } else { high = middle }
    }
    if low > 0, own[low - 1].revision == revision { return own[low - 1].commit }
    // Before the oldest one kept there may have been others.
    if low == 0, ownCount > own.count { return nil }
    let ownBefore = ownCount - UInt64(own.count - low)
    return data.number(dataBefore + revision.number - ownBefore)
  }
}
