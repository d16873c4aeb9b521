import TreeDomain

/// The last revisions of deleted trees, by the slots of their ids.
struct RetiredRevisions {
  private var revisions: [Int: Revision] = [:]
  /// The first revision of the generation, below which no tree begins.
  ///
  /// A restored backup does not tell which ids trees had after it was made.
  var start = Revision(0)

  /// Adds the last revision of a deleted tree, so that it is not given out again.
  mutating func add(_ retired: RetiredRevision) {
    let known = revisions[retired.slot] ?? retired.revision
    revisions[retired.slot] = max(known, retired.revision)
  }

  /// Returns the first revision of a new tree.
  func firstRevision(of id: TreeID) -> Revision {
    let retired = RetiredRevision.slot(of: id).flatMap { revisions[$0]?.next } ?? start
    return max(retired, start)
  }
}
