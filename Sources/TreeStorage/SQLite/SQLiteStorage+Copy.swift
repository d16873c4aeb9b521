internal import Synchronization
internal import TreeDomain

// Copying the log into the database file, between commits.
extension SQLiteStorage {
  /// Copies the log into the database file once it is long enough.
  ///
  /// A copy runs concurrently with writers, so that they do not wait even after a very long commit.
  /// Pages written meanwhile are left over. If they are few, or if the log is too long, this
  /// function copies them itself, between two commits. Otherwise another concurrent copy begins.
  ///
  /// The function copies everything itself if the disk is nearly full. It also does so if the log
  /// is too long before a requested copy has begun.
  func copyLog() {
    guard let copy, (try? copy.check()) != nil else { return }
    let length = copy.popMade()
    let isBegun = writer.withLock { writer in
      let pages = writer.writtenPages
      // Copying would delay the rest of the entry. The log is copied as a whole after it.
      guard !writer.longEntries.isWriting || isDiskNearlyFull else { return false }
      guard length != nil || pages >= Self.fewPages else { return false }
      let isToEnd = length.map { pages <= Self.littleRest || $0 >= Self.manyPages } ?? false
      if isToEnd || isDiskNearlyFull {
        copy.make(by: &writer)
      } else if copy.begin() {
        writer.writtenPages = 0
        return true
      } else if pages >= Self.manyPages {
        copy.make(by: &writer)
      }
      return false
    }
    guard isBegun else { return }
    assign { [weak self] in
      guard let self else { return }
      self.copy?.make()
      self.assign { [weak self] in self?.endCopy() }
    }
  }

  /// Finishes a concurrent copy, and calls the functions that wait for it.
  private func endCopy() {
    copyLog()
    let ready = idleWaiters.withLock { waiters -> [@Sendable () -> Void] in
      guard !isCopying else { return [] }
      defer { waiters = [] }
      return waiters
    }
    for waiter in ready { waiter() }
  }

  private var isCopying: Bool { copy?.isUnderWay == true }

  /// Calls a function when no concurrent copy is running, at once if none is now.
  ///
  /// During a copy the log cannot start again, so writing only makes it longer. A log of
  /// ``manyPages`` is copied by the next commit, and clients wait for that.
  package func whenIdle(_ body: @escaping @Sendable () -> Void) {
    let isIdle = idleWaiters.withLock { waiters in
      guard isCopying else { return true }
      waiters.append(body)
      return false
    }
    if isIdle { body() }
  }

  /// Copies the log into the file concurrently with writers, so that ``close()`` has little to
  /// copy.
  package func copyBeforeClosing() {
    guard let copy, (try? copy.check()) != nil, copy.begin() else { return }
    copy.make()
  }

  /// Numbers of pages: after which a copy begins; at most copied while commits wait; and in a log
  /// for which commits have to wait.
  private static let fewPages = 1_000
  private static let littleRest = 200
  private static let manyPages = 4_000
}
