import TreeDomain

/// The last revisions of trees that were deleted, by the slots of their ids.
struct RetiredRevisions {
  private var revisions: [Int: Revision] = [:]
  /// The first revision of the generation.
  ///
  /// No tree begins below it: before a backup was restored there may have been trees under any id.
  var start = Revision(0)

  /// Keeps a revision, and all before it, from coming again.
  mutating func add(_ retired: RetiredRevision) {
    let known = revisions[retired.slot] ?? retired.revision
    revisions[retired.slot] = max(known, retired.revision)
  }

  /// Where a new tree begins.
  func firstRevision(of id: TreeID) -> Revision {
    let retired = RetiredRevision.slot(of: id).flatMap { revisions[$0]?.next } ?? start
    return max(retired, start)
  }
}
