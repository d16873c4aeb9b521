import TreeDomain

// Ends, of trees and of sessions: what is stored goes, too.
extension LockedTree {
  /// Ends a session, and with it the tree if that is its own.
  ///
  /// - Parameters:
  ///   - id: The session.
  ///   - tree: The tree, which the caller holds.
  ///   - expired: Whether it is to be remembered as one that expired.
  ///   - now: The time.
  ///   - kept: What is to be stored of the answer for a retry.
  /// - Returns: The session, if there was one.
  /// - Throws: `overloaded` over the budget, and what ``CommitQueue/admit()`` does.
  func close(
    _ id: SessionID,
    in tree: inout TreeManager,
    expired: Bool,
    at now: Int,
    keeping kept: () -> [StorageChange] = { [] }
  ) throws(ServiceError) -> Ended {
    try change(
      &tree,
      JournalEntry(.closeSession, of: id, at: now),
      also: { _ in [.removeSession(id, expired: expired)] + deletion(ifPrivate: true) + kept() },
      { tree throws(ServiceError) in
        Ended(sessions: try tree.close(id, expired: expired) ? [id] : [])
      }
    )
  }

  /// Ends the tree.
  ///
  /// - Parameters:
  ///   - tree: The tree, which the caller holds.
  ///   - now: The time.
  ///   - kept: What is to be stored of the answer for a retry.
  /// - Returns: The sessions that ended with it.
  /// - Throws: `tree-not-found` when it has ended already, `overloaded` over the budget, and what
  ///   ``CommitQueue/admit()`` does.
  func end(
    _ tree: inout TreeManager,
    at now: Int,
    keeping kept: () -> [StorageChange]
  ) throws(ServiceError) -> Ended {
    let retired = retired(at: tree.treeRevision)
    return try change(
      &tree,
      JournalEntry(.closeSession, at: now),
      also: { ended in
        deletion(ifPrivate: false) + (ended.retired.map { [.retire($0)] } ?? []) + kept()
      },
      { tree throws(ServiceError) in
        let ended = Ended(sessions: try tree.end(telling: .treeDeleted), retired: retired)
        tree.changeCount += 1
        return ended
      }
    )
  }

  /// The revision above which another tree with the same id begins; `nil` if there can be none.
  var retired: RetiredRevision? { retired(at: description.revision) }

  private func retired(at revision: Revision) -> RetiredRevision? {
    RetiredRevision.slot(of: id).map { RetiredRevision(slot: $0, revision: revision) }
  }

  /// What enters the tree into storage, if it is of this kind.
  func making(ifPrivate isWanted: Bool) -> [StorageChange] {
    guard let number, isPrivate == isWanted else { return [] }
    let about = shownAbout
    return [.makeTree(StoredTree(number: number, id: id, isPrivate: isPrivate, about: about))]
  }

  private func deletion(ifPrivate isWanted: Bool) -> [StorageChange] {
    guard let number, isPrivate == isWanted else { return [] }
    return [.deleteTree(number)]
  }
}
