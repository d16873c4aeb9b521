/// A limit of time that is put off while something is heard.
actor Watchdog {
  private let limit: Duration
  private var deadline: ContinuousClock.Instant

  private init(limit: Duration) {
    self.limit = limit
    deadline = .now + limit
  }

  /// Puts the end off.
  func feed() { deadline = .now + limit }

  private func remaining() -> Duration { deadline - .now }

  /// A lateness of the timer that shows that the process did not run.
  private static let lateness = Duration.seconds(1)

  /// Waits for the end, from now on.
  ///
  /// If the timer is late, the process was suspended, as apps on phones are, or short of threads.
  /// Data that arrived meanwhile is not read yet, so the time begins anew.
  private func wait(_ sleep: (Duration) async throws -> Void) async throws {
    feed()
    while remaining() > .zero {
      try await sleep(remaining())
      if remaining() < .zero - Self.lateness { feed() }
    }
  }

  /// Runs work that is cancelled when nothing fed the watchdog for some time.
  ///
  /// - Parameters:
  ///   - limit: The longest time between two feedings.
  ///   - sleep: Waits for some time; tests replace it.
  ///   - work: The work.
  /// - Returns: The result of the work.
  /// - Throws: ``TreeProblem`` `no-answer` when the time has passed.
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
