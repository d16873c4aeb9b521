/// A time limit that begins anew whenever data arrives.
actor Watchdog {
  private let limit: Duration
  private var deadline: ContinuousClock.Instant

  private init(limit: Duration) {
    self.limit = limit
    deadline = .now + limit
  }

  /// Begins the time anew.
  func feed() { deadline = .now + limit }

  private func remaining() -> Duration { deadline - .now }

  /// The delay of the timer from which on the process counts as suspended.
  private static let lateness = Duration.seconds(1)

  /// Waits until the time is over.
  ///
  /// If the timer is late, the process was suspended or short of threads. Data that arrived
  /// meanwhile is not read yet, so the time begins anew.
  private func wait(_ sleep: (Duration) async throws -> Void) async throws {
    feed()
    while remaining() > .zero {
      try await sleep(remaining())
      if remaining() < .zero - Self.lateness { feed() }
    }
  }

  /// Runs work, and cancels it if the watchdog is not fed for some time.
  ///
  /// - Parameters:
  ///   - limit: The maximum time between two calls of ``feed()``.
  ///   - sleep: A function that waits. Tests replace it.
  ///   - work: The work.
  /// - Returns: The result of the work.
  /// - Throws: ``TreeProblem`` `no-answer` if the time is over.
  static func run<Value: Sendable>(
    limit: Duration,
    sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
    _ work: @escaping @Sendable (Watchdog) async throws -> Value
  ) async throws -> Value {
    let watchdog = Watchdog(limit: limit)
    return try await withThrowingTaskGroup(of: Value.self) { group in
      group.addTask { try await work(watchdog) }
      group.addTask {
        try await watchdog.wait(sleep)
        throw TreeProblem.noAnswer("nothing was heard for \(limit)")
      }
      defer { group.cancelAll() }
      guard let value = try await group.next() else { throw CancellationError() }
      return value
    }
  }
}
