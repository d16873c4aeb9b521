import TreeDomain

// Ending trees and sessions, in memory and in storage.
extension LockedTree {
  /// Ends a session.
  ///
  /// Ends the tree as well if it belongs to the session alone.
  ///
  /// - Parameters:
  ///   - id: The session.
  ///   - tree: The tree, which the caller has locked.
  ///   - expired: True to store the session's id as expired.
  ///   - now: The time in seconds.
  ///   - kept: Returns changes that store the answer for retries.
  /// - Returns: The session, if it existed.
  /// - Throws: The errors of ``TreeContent/demand(_:)`` and of ``CommitQueue/admit(isRemoval:)``.
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

  /// Ends the tree and all its sessions.
  ///
  /// - Parameters:
  ///   - tree: The tree, which the caller has locked.
  ///   - now: The time in seconds.
  ///   - kept: Returns changes that store the answer for retries.
  /// - Returns: The sessions that ended.
  /// - Throws: `tree-not-found` if the tree has ended already, and the errors of
  ///   ``TreeContent/demand(_:)`` and of ``CommitQueue/admit(isRemoval:)``.
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

  /// The revision above which another tree with the same id begins; `nil` if ids of this kind are
  /// not reused.
  var retired: RetiredRevision? { retired(at: description.revision) }

  private func retired(at revision: Revision) -> RetiredRevision? {
    RetiredRevision.slot(of: id).map { RetiredRevision(slot: $0, revision: revision) }
  }

  /// Returns the change that adds the tree to storage, if it has storage and ``isPrivate`` is as
  /// wanted.
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
