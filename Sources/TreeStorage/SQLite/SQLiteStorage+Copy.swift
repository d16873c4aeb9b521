internal import Synchronization
internal import TreeDomain

// The log is copied into the file between commits.
extension SQLiteStorage {
  /// Has the log copied into the file once it is so long that this pays.
  ///
  /// What was written while a copy was made is copied here, where nobody writes meanwhile, if it is
  /// little, or the log too long by then; else it is another copy's. So is all of it where nobody
  /// comes to make one, and where the disk has no room for a log that grows meanwhile.
  func copyLog() {
    guard let copy, (try? copy.check()) != nil else { return }
    let pages = writer.withLock { $0.writtenPages }
    let length = copy.takeMade()
    guard length != nil || pages >= Self.fewPages else { return }
    if max(pages, length ?? 0) >= Self.manyPages || length != nil && pages <= Self.littleRest
      || isDiskNearlyFull
    {
      writer.withLock { _ = copy.make(by: &$0) }
    } else if copy.begin() {
      writer.withLock { $0.writtenPages = 0 }
      assign { [weak self] in
        guard let self else { return }
        self.copy?.make()
        self.assign { [weak self] in self?.endCopy() }
      }
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

  /// After how many pages of log a copy is begun, how many more are few enough to be copied while
  /// commits wait, and after how many those wait however many they are.
  private static let fewPages = 1_000
  private static let littleRest = 200
  private static let manyPages = 4_000
}
