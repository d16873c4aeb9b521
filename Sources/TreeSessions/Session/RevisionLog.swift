import TreeDomain

/// The revision of a session, and the commits of the tree that led to it.
///
/// Commits of data change every session, and are recorded once for all. This log has the commits
/// that changed only this session.
struct RevisionLog {
  let data: DataCommits
  /// The number of data commits before the session began.
  let dataBefore: UInt64
  /// The commit at which the session began at revision 0; nil if it is no longer known.
  let start: Int?
  /// The number of commits that changed only this session.
  private(set) var ownCount: UInt64 = 0
  /// The newest of these commits, oldest first.
  var own: [(revision: Revision, commit: Int)] = []
  /// The number of data commits that the session made.
  private(set) var authoredCount: UInt64 = 0
  /// The newest of these, as ordinals among all data commits, ascending.
  var authored: [UInt64] = []

  /// Makes the log of a session that begins at revision 0 after a commit.
  init(startingAt commit: Int, _ data: DataCommits) {
    self.data = data
    dataBefore = data.count
    start = commit
  }

  /// Makes a log with a given state.
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

  /// Makes a log that continues at a revision after a commit.
  ///
  /// Earlier revisions are unknown.
  init(goingOnAt revision: Revision, commit: Int, _ data: DataCommits) {
    // All earlier commits count as the session's own.
    self.init(
      data: data,
      dataBefore: data.count,
      start: revision.number == 0 ? commit : nil,
      ownCount: revision.number
    )
    if revision.number > 0 { own = [(revision, commit)] }
  }

  var current: Revision { Revision(data.count - dataBefore + ownCount) }

  /// The memory of the revisions that the session alone remembers, in bytes.
  var byteCount: Int {
    own.capacity * MemoryLayout<(revision: Revision, commit: Int)>.stride
      + authored.capacity * MemoryLayout<UInt64>.stride
  }

  /// Counts a commit that changed only this session.
  ///
  /// - Parameters:
  ///   - commit: The number of the commit.
  ///   - limit: The number of earlier commits that are kept.
  mutating func advance(to commit: Int, keeping limit: Int) {
    ownCount += 1
    own.append((current, commit))
    if own.count > 2 * (limit + 1) { own.removeFirst(own.count - limit - 1) }
  }

  /// Records that the session made the newest data commit.
  ///
  /// - Parameter limit: The number of earlier commits that are kept.
  mutating func recordAuthored(keeping limit: Int) {
    authoredCount += 1
    authored.append(data.count)
    // Only commits that the tree still knows are needed, at most 2 (limit + 1). So more than
    // `limit` are removed at a time.
    guard authored.count > 3 * (limit + 1) else { return }
    let oldest = data.count - UInt64(data.numbers.count)
    authored.removeFirst(authored.firstIndex { $0 > oldest } ?? authored.count)
  }

  /// Returns the authors of the changes since a revision.
  ///
  /// - Precondition: ``commit(at:)`` knows the revision.
  /// - Complexity: O(log *k*) for *k* commits of its own.
  func origin(since revision: Revision) -> ChangeOrigin {
    // For revision 0 the totals suffice, even if commits were forgotten.
    let isFirst = revision.number == 0
    let ownChanges = isFirst ? ownCount : UInt64(own.count - ownPlace(after: revision))
    let dataThen = dataBefore + revision.number - (ownCount - ownChanges)
    let authoredChanges =
      isFirst
      ? authoredCount : UInt64(authored.count - authored.partitioningIndex { $0 > dataThen })
    if authoredChanges == data.count - dataThen { return .own }
    return authoredChanges + ownChanges == 0 ? .other : .mixed
  }

  /// Returns the index in ``own`` of the first commit after a revision.
  private func ownPlace(after revision: Revision) -> Int {
    own.partitioningIndex { $0.revision > revision }
  }

  /// Returns the commit after which the session was at a revision; nil if it is no longer known.
  ///
  /// - Precondition: `revision` is not above the current one.
  /// - Complexity: O(log *k*) for *k* commits of its own.
  func commit(at revision: Revision) -> Int? {
    if revision.number == 0 { return start }
    let low = ownPlace(after: revision)
    if low > 0, own[low - 1].revision == revision { return own[low - 1].commit }
    // There may have been other commits before the oldest one that is kept.
    if low == 0, ownCount > own.count { return nil }
    let ownBefore = ownCount - UInt64(own.count - low)
    return data.number(dataBefore + revision.number - ownBefore)
  }
}

extension Array {
  /// Returns the index of the first element that meets a condition, or the count if none does.
  ///
  /// - Precondition: If an element meets the condition, all later ones do.
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
