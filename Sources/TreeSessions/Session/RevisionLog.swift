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
  /// The number of commits to the data that the session itself made.
  private(set) var authoredCount: UInt64 = 0
  /// The newest of those, by their ordinals among all commits to the data, in ascending order.
  var authored: [UInt64] = []

  /// A session that begins at revision 0 after a commit.
  init(startingAt commit: Int, _ data: DataCommits) {
    self.data = data
    dataBefore = data.count
    start = commit
  }

  /// One that goes on as it was.
  init(
    data: DataCommits,
    dataBefore: UInt64,
    start: Int?,
    ownCount: UInt64,
    authoredCount: UInt64 = 0
  ) {
    (self.data, self.dataBefore, self.start) = (data, dataBefore, start)
    self.ownCount = ownCount
    self.authoredCount = authoredCount
  }

  /// Creates a copy for a copy of the tree.
  init(copying other: RevisionLog, on data: DataCommits) {
    self.init(
      data: data,
      dataBefore: other.dataBefore,
      start: other.start,
      ownCount: other.ownCount,
      authoredCount: other.authoredCount
    )
    (own, authored) = (other.own, other.authored)
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

  /// Notes that the session made the newest commit to the data.
  ///
  /// - Parameter limit: The number of commits before it that stay known.
  mutating func noteAuthored(keeping limit: Int) {
    authoredCount += 1
    authored.append(data.count)
    // Of commits that the tree does not know any more nothing is asked. It knows 2 (limit + 1) at
    // most, so that many go at a time.
    guard authored.count > 3 * (limit + 1) else { return }
    let oldest = data.count - UInt64(data.numbers.count)
    authored.removeFirst(authored.firstIndex { $0 > oldest } ?? authored.count)
  }

  /// Returns who made the changes since a revision.
  ///
  /// - Precondition: ``commit(at:)`` knows the revision.
  /// - Complexity: O(log *k*) for *k* commits of its own.
  func origin(since revision: Revision) -> ChangeOrigin {
    // Of revision 0 everything is known, however much of what followed is forgotten.
    let isFirst = revision.number == 0
    let ownChanges = isFirst ? ownCount : UInt64(own.count - ownPlace(after: revision))
    let dataThen = dataBefore + revision.number - (ownCount - ownChanges)
    let authoredChanges =
      isFirst
      ? authoredCount : UInt64(authored.count - authored.partitioningIndex { $0 > dataThen })
    if authoredChanges == data.count - dataThen { return .own }
    return authoredChanges + ownChanges == 0 ? .other : .mixed
  }

  /// Returns the place in ``own`` of the first commit after a revision.
  private func ownPlace(after revision: Revision) -> Int {
    own.partitioningIndex { $0.revision > revision }
  }

  /// The commit after which the session was at a revision; nil where that is not known any more.
  ///
  /// - Precondition: `revision` is not above the current one.
  /// - Complexity: O(log *k*) for *k* commits of its own.
  func commit(at revision: Revision) -> Int? {
    if revision.number == 0 { return start }
    let low = ownPlace(after: revision)
    if low > 0, own[low - 1].revision == revision { return own[low - 1].commit }
    // Before the oldest one kept there may have been others.
    if low == 0, ownCount > own.count { return nil }
    let ownBefore = ownCount - UInt64(own.count - low)
    return data.number(dataBefore + revision.number - ownBefore)
  }
}

extension Array {
  /// Returns the index of the first element for which a condition holds, or the count if it holds
  /// for none.
  ///
  /// - Precondition: The condition holds for every element behind one for which it does.
  /// - Complexity: O(log *n*).
  fileprivate func partitioningIndex(where holds: (Element) -> Bool) -> Int {
    var range = indices
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      range = holds(self[middle]) ? range.lowerBound..<middle : middle + 1..<range.upperBound
    }
    return range.lowerBound
  }
}
