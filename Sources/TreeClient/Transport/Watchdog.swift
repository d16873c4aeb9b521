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

  /// Waits for the end.
  private func wait() async throws {
    while true {
      let rest = remaining()
      guard rest > .zero else { return }
      try await Task.sleep(for: rest)
    }
  }

  /// Runs work that is cancelled when nothing fed the watchdog for some time.
  ///
  /// - Throws: ``TreeProblem`` `no-answer` when the time has passed.
  static func run<Value: Sendable>(
    limit: Duration,
    _ work: @escaping @Sendable (Watchdog) async throws -> Value
  ) async throws -> Value {
    let watchdog = Watchdog(limit: limit)
    return try await withThrowingTaskGroup(of: Value.self) { group in
      group.addTask { try await work(watchdog) }
      group.addTask {
        try await watchdog.wait()
        throw TreeProblem.noAnswer("nothing was heard for \(limit)")
      }
      defer { group.cancelAll() }
      guard let value = try await group.next() else { throw CancellationError() }
      return value
    }
  }
}
