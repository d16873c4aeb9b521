// Receives changes from the service, and applies them to the rows.
extension TreeView {
  /// Reads the shown rows, and then follows the session from their revision.
  func follow() {
    isBehind = true
    let options = FollowOptions(
      form: ChangeOptions(changes: .ranges),
      interval: self.options.interval,
      heartbeat: self.options.heartbeat
    )
    followCount += 1
    let number = followCount
    following = Task { [weak self, session] in
      let news = ChangeSequence<Object>(
        session: session,
        since: nil,
        options: options,
        onState: { [weak self] state, from in await self?.turn(state, from, number) },
        position: { [weak self] in
          // A stream from any other revision than that of the page would have a gap.
          while let rows = await self?.rows() {
            switch rows {
            case .holding(let revision): return revision
            case .reading(let pages): await pages.value
            }
          }
          return nil
        }
      )
      do {
        for try await event in news {
          guard let self, !Task.isCancelled else { return }
          self.receive(event)
        }
      } catch {
        if !Task.isCancelled { self?.fail(error) }
      }
    }
    pull()
  }

  /// The rows of a view that follows.
  private enum FollowedRows {
    case holding(revision: Int)
    case reading(Task<Void, Never>)
  }

  /// Returns the revision of the rows, or the task that reads them; nil if the view is stopped.
  private func rows() -> FollowedRows? {
    guard failure == nil, !isClosed, !isPausedNow else { return nil }
    if let revision { return .holding(revision: revision) }
    pull()
    return pulling.map { .reading($0) }
  }

  /// Ends the stream and the running read.
  func stop() {
    following?.cancel()
    following = nil
    stream = nil
    reading?.task.cancel()
  }

  private func turn(_ state: FollowState, _ revision: Int?, _ number: Int) {
    guard following != nil, number == followCount else { return }
    followedFrom = revision
    if state == .offline || stream == .live {
      // A page on its way may be from before a crash, and have changes that were lost in it.
      reading?.task.cancel()
      doubt()
    } else if reading == nil {
      drain()
    }
    stream = state
    updateStatus()
  }

  /// Reads all rows anew if the service may have lost their revision in a crash.
  ///
  /// That revision may come again with other rows. The revision of an event is never lost.
  func doubt() {
    guard let revision, revision > told, let readAt,
      session.client.pacing.now() - readAt < .seconds(5)
    else { return }
    reload()
    pull()
  }

  /// Receives an event, or the answer to a change.
  ///
  /// It waits while a page is being read. Events also wait for answers, which have the new rows.
  func receive(_ event: ChangeEvent<Object>, isAnswer: Bool = false) {
    if case .changes(let list) = event { told = max(told, list.revision) }
    // They are applied in the order of their revisions, and of two with the same, the first one.
    let place = queue.firstIndex {
      $0.revision > event.revision || (isAnswer && $0.revision == event.revision)
    }
    queue.insert(event, at: place ?? queue.endIndex)
    if isAnswer || writeCount == 0 { return resume() }
    holding =
      holding
      ?? Task { [weak self, pacing = session.client.pacing] in
        try? await pacing.sleep(.milliseconds(300))
        if !Task.isCancelled { self?.resume() }
      }
  }

  /// Records that a change is sent, or has an outcome.
  func wrote(_ count: Int) {
    writeCount += count
    if writeCount == 0 && holding != nil { resume() }
    settle()
  }

  /// Applies the waiting events, if no page is being read.
  private func resume() {
    holding?.cancel()
    holding = nil
    if reading == nil { drain() }
  }

  /// Applies the waiting events.
  func drain() {
    while let event = queue.first {
      switch event {
      case .reset: reload()
      case .changes(let list):
        guard let revision, list.revision > revision else { break }
        guard list.previousRevision == revision else {
          isBehind = true
          pull()
          settle()
          return
        }
        apply(list)
        show()
      }
      queue.removeFirst()
    }
    // A late page may be older than the events. A page requested from now on is not.
    if let revision, let from = followedFrom, revision < from {
      isBehind = true
      followedFrom = nil
    }
    pull()
    settle()
  }

  /// Applies a list that begins at the revision of the held rows.
  func apply(_ list: ChangeList<Object>) {
    let first = shown.lowerBound
    let kept = anchor.flatMap(window.index)
    window.apply(list.changes, rowCount: list.rowCount)
    revision = list.revision
    var (from, to) = (kept, anchor.flatMap(window.index))
    if kept == nil && first > 0 {
      let next = window.retained(from: first)
      (from, to) = (next.old, next.old > shown.upperBound ? nil : next.new)
    }
    var shift = 0
    if let from, let to, to < list.rowCount { shift = max(to - from, -first) }
    shown = shown.lowerBound + shift...shown.upperBound + shift
    trim()
    if !list.changes.isEmpty { tell(.list(list), shift: shift) }
    remember()
  }

  /// Releases rows far from the shown ones.
  func trim() {
    let (first, last) = (shown.lowerBound, min(shown.upperBound, window.rowCount - 1))
    // Of too many rows, those in sight stay.
    let isFull = window.count > options.maxRows
    let margin = isFull ? 0 : options.pageSize * (1 + options.overscan)
    window.trim(
      to: first - margin...max(first - margin, last + margin),
      atMost: options.maxRows
    )
  }

  /// Notifies subscribers if the shown rows changed.
  func show(all: Bool = false) {
    trim()
    let (before, count) = (lastShown, lastRowCount)
    remember()
    if all { return tell(.all) }
    let isSame =
      window.rowCount == count && before.count == lastShown.count
      && zip(before, lastShown).allSatisfy { old, new in
        guard let old, let new else { return old == nil && new == nil }
        return old.reads(as: new)
      }
    if !isSame { tell(.rows(shown)) }
  }

  /// Records the shown rows as known to subscribers.
  func remember() {
    lastRowCount = window.rowCount
    let end = min(shown.upperBound, window.rowCount - 1)
    lastShown = shown.lowerBound > end ? [] : (shown.lowerBound...end).map { window[$0] }
  }

  /// Notifies subscribers if the status changed.
  func updateStatus() {
    let status: ViewStatus
    if let failure {
      status = .failed(TreeProblem(failure))
    } else if isPausedNow {
      status = .paused
    } else if isRetrying || stream == .offline {
      status = .offline
    } else {
      status = revision == nil || stream == nil ? .loading : stream == .live ? .live : .polling
    }
    if status != shownStatus {
      shownStatus = status
      tell(.status)
    }
    settle()
  }

  /// Resumes the callers of ``settled()`` if no work is left.
  func settle() {
    let isUnderWay = pulling != nil || !queue.isEmpty || writeCount > 0 || shownStatus == .loading
    guard isClosed || failure != nil || !isUnderWay else { return }
    let continuations = waiting
    waiting = []
    for continuation in continuations {
      if let failure { continuation.resume(throwing: failure) } else { continuation.resume() }
    }
  }
}
