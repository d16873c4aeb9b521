/// The waits between the attempts of one request.
///
/// The wait is random (full jitter), and its bound doubles with each attempt. It ends early when
/// the service answers another request of the client, because an outage is over then. The next wait
/// after such an end has its full length, in case only this request fails.
struct Backoff {
  /// The maximum random wait in seconds.
  private static let longest = 32.0

  /// The least bound in seconds.
  var base = 1.0
  private var attempt = 0
  private var wasCutShort = false
  private let client: TreeClient

  init(_ client: TreeClient) { self.client = client }

  /// Begins anew with the shortest wait, after a success.
  mutating func restart() { attempt = 0 }

  /// Waits before another attempt.
  ///
  /// - Parameter problem: The error of the last attempt, whose `retryAfter` is added. If it is nil,
  ///   a connection ended without an error.
  /// - Throws: `CancellationError`.
  mutating func pause(after problem: TreeProblem?) async throws {
    var bound = 1.0
    for _ in 0..<attempt where bound < Self.longest { bound *= 2 }
    bound = min(Self.longest, max(base, bound))
    attempt += 1
    let pacing = client.pacing
    let duration = Duration.seconds((problem?.retryAfter ?? 0) + pacing.random() * bound)
    guard !wasCutShort && problem?.tellsWhen != true else {
      wasCutShort = false
      return try await pacing.sleep(duration)
    }
    wasCutShort = try await client.answers.wait { try await pacing.sleep(duration) }
  }
}

extension TreeProblem {
  /// True if the service answered, and another request says nothing about the success of this one.
  fileprivate var tellsWhen: Bool { retryAfter > 0 || (1..<500).contains(status) }
}

/// A signal to waiting requests that the service has answered another one.
actor Answers {
  private var waiting: [Int: AsyncStream<Void>.Continuation] = [:]
  private var count = 0

  /// Ends the waits.
  func arrive() {
    for continuation in waiting.values { continuation.finish() }
    waiting = [:]
  }

  /// Waits until a function returns, or the service answers.
  ///
  /// - Returns: True if the service answered.
  /// - Throws: The error of the function; `CancellationError`.
  func wait(_ sleep: @escaping @Sendable () async throws -> Void) async throws -> Bool {
    let (signals, signal) = AsyncStream.makeStream(of: Void.self)
    count += 1
    let number = count
    waiting[number] = signal
    defer { waiting[number] = nil }
    let isAnswered = try await withThrowingTaskGroup(of: Bool.self) { group in
      group.addTask {
        try await sleep()
        return false
      }
      group.addTask {
        for await _ in signals {}
        return true
      }
      defer { group.cancelAll() }
      return try await group.next() ?? false
    }
    try Task.checkCancellation()
    return isAnswered
  }
}

/// The clock and the random numbers of waits between attempts.
///
/// Tests replace them.
struct Pacing: Sendable {
  /// A function that waits.
  var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
  /// A function that returns a random number in 0..<1.
  var random: @Sendable () -> Double = { Double.random(in: 0..<1) }
  /// A function that returns the present time.
  var now: @Sendable () -> ContinuousClock.Instant = { .now }
}
