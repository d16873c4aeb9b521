import Dispatch
import HTTP
import Synchronization

/// A deferred answer whose steps a test provides one by one.
final class HeldAnswer: LateAnswer {
  private struct Held {
    var steps: [LateStep]
    var waker: Waker?
    var askCount = 0
  }

  private let held: Mutex<Held>
  private let endsOnDrain: Bool
  private let probes: Bool
  private let started = DispatchSemaphore(value: 0)
  private let waiting = DispatchSemaphore(value: 0)
  private let finished = DispatchSemaphore(value: 0)
  private let cancelled = DispatchSemaphore(value: 0)

  /// Creates an answer that begins with some steps.
  ///
  /// - Parameters:
  ///   - steps: The first steps.
  ///   - endsOnDrain: True to end when the server starts to stop.
  ///   - probes: True to write something when the client sends nothing more.
  init(_ steps: LateStep..., endsOnDrain: Bool = false, probes: Bool = false) {
    held = Mutex(Held(steps: steps))
    self.endsOnDrain = endsOnDrain
    self.probes = probes
  }

  /// The number of calls of `next`.
  var askCount: Int { held.withLock { $0.askCount } }

  /// Adds a step and wakes the answer.
  func give(_ step: LateStep) {
    held.withLock { $0.steps.append(step) }
    wake()
  }

  func wake() { held.withLock { $0.waker }?.wake() }

  /// Waits until the answer is started; false after a timeout, like the functions below.
  func waitForStart() -> Bool { started.wait(timeout: .now() + 10) == .success }

  /// Waits until `next` had no step to return, once more for each call.
  func waitForVainAsking() -> Bool { waiting.wait(timeout: .now() + 10) == .success }

  func waitForFinishedClient() -> Bool { finished.wait(timeout: .now() + 10) == .success }

  func waitForCancel() -> Bool { cancelled.wait(timeout: .now() + 10) == .success }

  func start(_ waker: Waker) {
    held.withLock { $0.waker = waker }
    started.signal()
  }

  func next(now: Moment) -> LateStep {
    let step = held.withLock { held in
      held.askCount += 1
      return held.steps.isEmpty ? nil : held.steps.removeFirst()
    }
    if let step { return step }
    waiting.signal()
    return .wait(milliseconds: nil)
  }

  func cancel() { cancelled.signal() }

  func drain() { if endsOnDrain { held.withLock { $0.steps.append(.end) } } }

  func clientFinished() {
    if probes { held.withLock { $0.steps.append(.chunk([0x2E])) } }
    finished.signal()
  }
}

/// An endless stream that counts its pieces.
final class EndlessAnswer: LateAnswer {
  static let pieceBytes = 16 * 1024

  private let count = Atomic(0)

  /// The number of requested pieces.
  var pieceCount: Int { count.load(ordering: .relaxed) }

  func start(_ waker: Waker) {}

  func next(now: Moment) -> LateStep {
    let piece = [UInt8](repeating: 0x61, count: Self.pieceBytes)
    let (index, _) = count.add(1, ordering: .relaxed)
    return index == 0 ? .begin(Response(.ok, body: piece)) : .chunk(piece)
  }

  func cancel() {}
}
