import Dispatch
import HTTP
import Synchronization

/// A late answer that gives the steps a test hands it, one by one.
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

  /// An answer that begins with these steps.
  ///
  /// - Parameters:
  ///   - steps: The first steps.
  ///   - endsOnDrain: Whether it ends when the server wants to stop.
  ///   - probes: Whether it writes something when the client sends nothing more.
  init(_ steps: LateStep..., endsOnDrain: Bool = false, probes: Bool = false) {
    held = Mutex(Held(steps: steps))
    self.endsOnDrain = endsOnDrain
    self.probes = probes
  }

  /// How often it was asked.
  var askCount: Int { held.withLock { $0.askCount } }

  /// Adds a step and wakes.
  func give(_ step: LateStep) {
    held.withLock { $0.steps.append(step) }
    wake()
  }

  func wake() { held.withLock { $0.waker }?.wake() }

  /// Waits until it is taken on; false if that takes too long, as with the others.
  func waitForStart() -> Bool { started.wait(timeout: .now() + 10) == .success }

  /// Waits until it was asked in vain, once more for each time this is called.
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

/// A stream without end that counts its pieces.
final class EndlessAnswer: LateAnswer {
  static let pieceBytes = 16 * 1024

  private let count = Atomic(0)

  /// How many pieces were asked for.
  var pieceCount: Int { count.load(ordering: .relaxed) }

  func start(_ waker: Waker) {}

  func next(now: Moment) -> LateStep {
    let piece = [UInt8](repeating: 0x61, count: Self.pieceBytes)
    let (index, _) = count.add(1, ordering: .relaxed)
    return index == 0 ? .begin(Response(.ok, body: piece)) : .chunk(piece)
  }

  func cancel() {}
}
