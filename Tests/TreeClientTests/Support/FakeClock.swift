import Synchronization

@testable import TreeClient

/// A clock whose waits take no time, and are remembered.
final class FakeClock: Sendable {
  private struct State {
    var durations: [Duration] = []
    var time = ContinuousClock.now
    /// The gate that a wait opens before it lasts for ever; nil for waits that take no time.
    var stopped: Gate?
  }

  private let state = Mutex(State())
  private let draw: Double

  /// Makes a clock.
  ///
  /// - Parameter draw: What each random number is, from 0 up to 1.
  init(draw: Double = 0.5) { self.draw = draw }

  /// The waits so far, in seconds.
  var waits: [Double] { state.withLock { $0.durations.map { $0 / .seconds(1) } } }

  /// Moves the time. Waits do not.
  func advance(by duration: Duration) { state.withLock { $0.time += duration } }

  /// Has later waits last until their tasks are cancelled.
  ///
  /// - Returns: A gate that the first of them opens.
  func stop() -> Gate {
    state.withLock { state in
      let gate = Gate()
      state.stopped = gate
      return gate
    }
  }

  /// Has later waits take no time again.
  func start() { state.withLock { $0.stopped = nil } }

  var pacing: Pacing {
    Pacing(
      sleep: { [self] duration in
        let stopped = state.withLock { state in
          state.durations.append(duration)
          return state.stopped
        }
        stopped?.open()
        if stopped != nil { try await Task.sleep(for: .seconds(3_600)) }
        await Task.yield()
        try Task.checkCancellation()
      },
      random: { [draw] in draw },
      now: { [self] in state.withLock { $0.time } }
    )
  }
}
