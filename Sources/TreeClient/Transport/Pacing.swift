/// The waits between attempts.
///
/// Tests replace the clock and the random numbers.
struct Pacing: Sendable {
  /// A function that waits.
  var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
  /// A function that returns a random number in 0..<1.
  var random: @Sendable () -> Double = { Double.random(in: 0..<1) }
  /// A function that returns the present time.
  var now: @Sendable () -> ContinuousClock.Instant = { .now }

  /// The maximum random wait in seconds.
  static let longest = 32.0

  /// Waits a random time before another attempt.
  ///
  /// Its bound doubles with each (full jitter).
  ///
  /// - Parameters:
  ///   - attempt: The index of the failed attempt, from 0.
  ///   - problem: The error of that attempt, whose `retryAfter` is added.
  ///   - base: The bound of the first wait, in seconds.
  /// - Throws: `CancellationError`.
  func pause(after attempt: Int, _ problem: TreeProblem?, base: Double = 1) async throws {
    var bound = base
    for _ in 0..<attempt where bound < Self.longest { bound *= 2 }
    let seconds = (problem?.retryAfter ?? 0) + random() * min(Self.longest, bound)
    try await sleep(.seconds(seconds))
  }
}
