/// The time between attempts.
///
/// Tests replace both parts.
struct Pacing: Sendable {
  /// Waits.
  var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
  /// Returns a random number from 0 up to 1.
  var random: @Sendable () -> Double = { Double.random(in: 0..<1) }

  /// The longest random wait, in seconds.
  static let longest = 32.0

  /// Waits before another attempt: a random time, the bound of which doubles (full jitter).
  ///
  /// - Parameters:
  ///   - attempt: The number of attempts before, less one.
  ///   - problem: What went wrong, with the seconds for which the service wants to be left alone.
  ///   - base: The bound of the first wait, in seconds.
  /// - Throws: `CancellationError`.
  func pause(after attempt: Int, _ problem: TreeProblem?, base: Double = 1) async throws {
    var bound = base
    for _ in 0..<attempt where bound < Self.longest { bound *= 2 }
    let seconds = (problem?.retryAfter ?? 0) + random() * min(Self.longest, bound)
    try await sleep(.seconds(seconds))
  }
}
