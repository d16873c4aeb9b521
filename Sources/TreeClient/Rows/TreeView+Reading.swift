// Reads of rows.
extension TreeView {
  /// Starts to read the needed rows, one page after the other.
  func pull() {
    guard pulling == nil, !isClosed, !isPausedNow, failure == nil, wanted() != nil else { return }
    pulling = Task { [weak self] in
      // The view may be released while a page is read.
      var isBeyond = false
      while let reading = self?.read(fromStart: isBeyond) {
        let page = await reading.task.result
        guard let self else { return }
        isBeyond = self.finish(reading, page)
      }
      self?.endPulling()
    }
  }

  private func endPulling() {
    pulling = nil
    updateStatus()
  }

  /// Begins to read the rows needed first.
  ///
  /// Returns nil if none are needed or the view is stopped.
  private func read(fromStart: Bool) -> Reading? {
    guard !isClosed, !isPausedNow, failure == nil, let range = wanted() else { return nil }
    var query = RowsQuery(
      offset: fromStart ? 0 : range.lowerBound,
      limit: min(range.count, 1000),
      fields: fields
    )
    query.ancestors = 0
    query.since = revision
    query.changes = revision.map { _ in .ranges }
    var request = RequestOptions(attempts: .max)
    request.timeout = options.heartbeat * 2
    readCount += 1
    request.onRetry = { [weak self, number = readCount] _ in
      Task { @MainActor in self?.retry(number) }
    }
    let reading = Reading(
      range: range,
      since: revision,
      task: Task { [session, query, request] in
        try await session.rows(query, as: Object.self, request)
      }
    )
    self.reading = reading
    return reading
  }

  /// Records that the request for a page is being retried.
  private func retry(_ number: Int) {
    guard reading != nil, number == readCount else { return }
    isRetrying = true
    doubt()
    updateStatus()
  }

  /// Ends the read of a page.
  ///
  /// Returns true if the page was beyond the last row.
  private func finish(_ reading: Reading, _ page: Result<RowPage<Object>, any Error>) -> Bool {
    self.reading = nil
    // A page that is cancelled may not be needed any more.
    isRetrying = false
    var isBeyond = false
    switch page {
    case .success(let page):
      if reading.since == revision && !reading.task.isCancelled { take(page) }
    case .failure(let error):
      let problem = error as? TreeProblem
      isBeyond = problem?.status == 416
      if !isBeyond && !reading.task.isCancelled { fail(error) }
    }
    drain()
    return isBeyond
  }

  /// Returns the rows to read next; nil if none are needed.
  private func wanted() -> ClosedRange<Int>? {
    let size = options.pageSize
    let around = options.overscan * size
    let (first, end) = (shown.lowerBound, window.rowCount - 1)
    let last = min(shown.upperBound, end)
    if isBehind {
      let from = revision == nil ? first : max(0, min(first, end))
      return from...max(from, shown.upperBound)
    }
    guard first <= last else { return nil }
    func pages(_ range: ClosedRange<Int>) -> ClosedRange<Int>? {
      let from = range.lowerBound - range.lowerBound % size
      let to = range.upperBound - range.upperBound % size + size - 1
      return window.missing(in: from...max(from, min(end, to)))
    }
    if let seen = window.missing(in: first...last) { return pages(seen) }
    guard last - first + 2 * (around + size) < options.maxRows else { return nil }
    let near = max(0, first - around / 2)...min(end, last + around / 2)
    guard window.missing(in: near) != nil else { return nil }
    return pages(max(0, first - around)...(last + around))
  }

  /// Applies the changes that come with a page, and stores its rows.
  private func take(_ page: RowPage<Object>) {
    if let list = page.changes {
      apply(list)
    } else {
      window.removeAll()
    }
    readAt = session.client.pacing.now()
    isBehind = false
    revision = page.revision
    window.rowCount = page.rowCount
    window.put(page.rows, at: page.offset)
    show(all: page.changes == nil)
  }

  /// Forgets the revision, so that all shown rows are read again.
  func reload() {
    revision = nil
    isBehind = true
  }

  /// Ends the view for good.
  func fail(_ error: any Error) {
    guard !isClosed else { return }
    failure = error
    stop()
    updateStatus()
  }
}
