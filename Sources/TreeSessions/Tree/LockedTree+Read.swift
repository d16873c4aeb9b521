import Glibc
import TreeDomain

// Small reads run at once. All others run on a copy of the tree, and delay nobody.
extension LockedTree {
  /// True if answers wait until all changes that they show are durable.
  var readsWait: Bool { archive?.storage.readsWait ?? false }

  /// The description of the tree after the last call that changed it.
  var description: TreeDescription { shown.contents.description }

  /// The encoded ``description``, for storage.
  var shownAbout: [UInt8] { description.about }

  /// Returns the description.
  ///
  /// If reads wait, the attempt's answer waits for the changes that the description shows.
  func description(for attempt: Attempt?) -> TreeDescription {
    let (description, durability) = shown.contents
    if let attempt, readsWait { attempt.show(durability) }
    return description
  }

  /// If reads wait, makes the attempt's answer wait for the changes that the tree contains.
  func show(_ tree: borrowing TreeManager, to attempt: Attempt?) {
    if let attempt, readsWait { attempt.show(tree.pendingDurability) }
  }

  /// Reads the tree for a session, or runs a dry run of a change.
  ///
  /// - Throws: `session-not-found` if the session has ended since it was found. An attempt on an
  ///   event loop is refused if the read is not small, and continues on ``readers``.
  func read<Result: Sendable>(
    _ id: SessionID,
    _ mode: CallMode,
    _ body: (inout TreeManager, OpenSession) throws(ServiceError) -> Result
  ) throws(ServiceError) -> Result {
    try read(mode, of: id) { tree throws(ServiceError) in
      try tree.content.checkSectionsAreFew()
      // The session is awake, so this only looks it up.
      let session = try tree.session(id)
      return try body(&tree, session)
    }
  }

  /// Reads the tree without a session, or runs a dry run of a change.
  func read<Result: Sendable>(
    _ mode: CallMode,
    _ body: (inout TreeManager) throws(ServiceError) -> Result
  ) throws(ServiceError) -> Result {
    try read(mode, of: nil, body)
  }

  private func read<Result: Sendable>(
    _ mode: CallMode,
    of id: SessionID?,
    _ body: (inout TreeManager) throws(ServiceError) -> Result
  ) throws(ServiceError) -> Result {
    guard let attempt = mode.attempt else {
      return try withTree(mode) { tree throws(ServiceError) in
        if let id { _ = try tree.session(id) }
        return try body(&tree)
      }
    }
    if attempt.runs(on: executor) || attempt.runs(on: readers) {
      let copy = try copy(for: attempt, of: id)
      copy.manager.meter.begin(mode.control)
      return try body(&copy.manager)
    }
    do throws(ServiceError) {
      return try readAtOnce(attempt, of: id, body)
    } catch {
      if attempt.isRefused { attempt.goOn(at: readers) }
      throw error
    }
  }

  /// Reads the tree on an event loop.
  ///
  /// During a large write, reads the state before the write.
  private func readAtOnce<Result: Sendable>(
    _ attempt: Attempt,
    of id: SessionID?,
    _ body: (inout TreeManager) throws(ServiceError) -> Result
  ) throws(ServiceError) -> Result {
    let result = try tryTree(attempt) { tree throws(ServiceError) in
      if let id { _ = try tree.session(id) }
      return try body(&tree)
    }
    if let result { return result }
    guard let copy = publishedCopy(of: id, for: attempt) else {
      // A large write that has just begun will publish a copy, which a worker waits for.
      throw attempt.refuse(to: readers)
    }
    copy.manager.meter.begin(trying: attempt)
    return try body(&copy.manager)
  }

  /// Returns a copy of the tree for a read on a worker.
  ///
  /// - Throws: `session-not-found`, `tree-not-found`. If the tree or session is not in memory, or
  ///   the tree is busy, an attempt continues on the executor, which may wait.
  private func copy(for attempt: Attempt, of id: SessionID?) throws(ServiceError) -> TreeCopy {
    func fork(_ tree: inout TreeManager) throws(ServiceError) -> sending TreeCopy {
      guard !tree.hasEnded else { throw .treeNotFound }
      let session = if let id { try tree.session(id) } else { nil as OpenSession? }
      return TreeCopy(tree.fork(with: CollectionOfOne(session).compactMap(\.self)))
    }
    if attempt.runs(on: executor) {
      if let id { try wakeOnCopy(id, .attempt(attempt)) }
      return try withTree(.attempt(attempt), fork)
    }
    do throws(ServiceError) {
      for _ in 0..<Self.maxReadTries {
        if let copy = try tryTree(attempt, fork) ?? publishedCopy(of: id, for: attempt) {
          return copy
        }
        Self.waitToTry(attempt.job)
      }
    } catch {
      if attempt.isRefused { attempt.goOn(at: executor) }
      throw error
    }
    // Waiting here would occupy a worker that the holder of the lock may need.
    throw attempt.refuse(to: executor)
  }

  /// Tries a small call again on a worker while the tree is busy.
  ///
  /// - Returns: The result of the closure; `nil` if the tree is busy for long.
  func tryAgain<Result>(
    _ attempt: Attempt,
    _ body: (inout TreeManager) throws(ServiceError) -> sending Result
  ) throws(ServiceError) -> sending Result? {
    for _ in 0..<Self.maxTriesOnWorker {
      Self.waitToTry(attempt.job)
      if let result = try tryTree(attempt, body) { return result }
    }
    return nil
  }

  /// Sleeps for a moment before a worker tries the tree's lock again.
  static func waitToTry(_ control: (any WorkControl)?) {
    // The call that holds the lock may wait for the worker that this one occupies.
    control?.pause()
    usleep(tryMicroseconds)
  }

  /// The maximum number of tries on a worker, before a call waits on the executor.
  ///
  /// A large write holds the lock for some milliseconds while its copy replaces the tree. A call
  /// that waited on the executor would come after other large writes.
  static var maxTriesOnWorker: Int { 40 }
  /// The maximum number of tries of a read, which waits until a large write has published a copy.
  private static var maxReadTries: Int { 200 }
  private static var tryMicroseconds: UInt32 { 500 }

  /// Returns a copy of the state that a large write has published, if it contains the session.
  private func publishedCopy(of id: SessionID?, for attempt: Attempt) -> TreeCopy? {
    guard !isLost, let published = copies.published else { return nil }
    show(published.manager, to: attempt)
    guard let id else { return TreeCopy(published.manager.fork(with: [])) }
    guard let session = published.manager.sessions[id] else { return nil }
    return TreeCopy(published.manager.fork(with: [session]))
  }
}

// Work that no client waits for.
extension LockedTree {
  typealias BackgroundTask = @Sendable (inout TreeManager) throws(ServiceError) -> sending Void

  /// Runs a task that no client waits for: at once if it is small, otherwise on the executor.
  ///
  /// - Parameters:
  ///   - task: The task.
  ///   - failed: Called with the error if the task fails, but not if it only continues on the
  ///     executor.
  ///   - ended: Called after the task, failed or not.
  func runInBackground(
    _ task: @escaping BackgroundTask,
    failed: @escaping @Sendable (ServiceError) -> Void = { _ in },
    ended: @escaping @Sendable () -> Void = {}
  ) {
    let attempt = Attempt()
    do throws(ServiceError) {
      try withTree(.attempt(attempt), task)
    } catch {
      if attempt.isRefused {
        executor.add { [self] control in
          do throws(ServiceError) {
            try withTree(.waiting(control), task)
          } catch {
            failed(error)
          }
          ended()
        }
        return
      }
      failed(error)
    }
    ended()
  }
}
