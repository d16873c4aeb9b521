internal import Synchronization
internal import TreeDomain

// The log is copied into the file between commits.
extension SQLiteStorage {
  /// Has the log copied into the file once it is so long that this pays.
  ///
  /// A copy is made beside those who write, so that they do not wait even after a very long commit.
  /// The rest that they wrote meanwhile is copied here, between two commits, if it is short or the
  /// log has become too long; else by another copy beside them. All of it is copied here if no copy
  /// begins, or if the disk has no room for a log that grows meanwhile.
  func copyLog() {
    guard let copy, (try? copy.check()) != nil else { return }
    let length = copy.takeMade()
    let isBegun = writer.withLock { writer in
      let pages = writer.writtenPages
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

  /// Has the log begin anew, if those who wrote meanwhile left little of it to be copied.
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

  /// Calls a function when no copy of the log is being made, at once if none is now.
  ///
  /// While a copy is made, the log cannot begin anew: what is written only makes it longer. A log
  /// of ``manyPages`` is copied by whoever commits, and clients wait for that.
  public func whenIdle(_ body: @escaping @Sendable () -> Void) {
    let isIdle = idleWaiters.withLock { waiters in
      guard isCopying else { return true }
      waiters.append(body)
      return false
    }
    if isIdle { body() }
  }

  /// The number of pages of the log after which a copy is begun; the most that are copied while
  /// commits wait; and the length of the log from which commits wait for more.
  private static let fewPages = 1_000
  private static let littleRest = 200
  private static let manyPages = 4_000
}
