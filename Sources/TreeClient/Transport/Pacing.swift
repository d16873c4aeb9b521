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
