import HTTP
import Synchronization

/// A deferred answer with steps from a test, which records its calls.
final class ScriptedAnswer: LateAnswer {
  private struct Script {
    var steps: [LateStep]
    var notes: [String] = []
  }

  private let script: Mutex<Script>
  private let endsOnDrain: Bool
  private let isFirm: Bool

  /// Creates an answer with some steps, which waits after them.
  ///
  /// - Parameters:
  ///   - steps: The steps.
  ///   - endsOnDrain: True to end when the server starts to stop.
  ///   - isFirm: True to refuse withdrawal, so that the server must wait.
  init(_ steps: LateStep..., endsOnDrain: Bool = false, isFirm: Bool = false) {
    script = Mutex(Script(steps: steps))
    self.endsOnDrain = endsOnDrain
    self.isFirm = isFirm
  }

  /// The calls in order, without those of `next`.
  var notes: [String] { script.withLock { $0.notes } }

  /// The number of steps that were not returned yet.
  var stepsLeft: Int { script.withLock { $0.steps.count } }

  func append(_ step: LateStep) { script.withLock { $0.steps.append(step) } }

  func start(_ waker: Waker) { record("start") }

  func next(now: Moment) -> LateStep {
    script.withLock { $0.steps.isEmpty ? .wait(milliseconds: nil) : $0.steps.removeFirst() }
  }

  func cancel() { record("cancel") }

  func withdraw() -> Bool {
    if isFirm { record("withdraw") }
    return !isFirm
  }

  func drain() {
    record("drain")
    if endsOnDrain { append(.end) }
  }

  func clientFinished() { record("finished") }

  private func record(_ text: String) { script.withLock { $0.notes.append(text) } }
}

extension Exchange {
  /// Creates an exchange in which requests for `/a` get a deferred answer, others an immediate one.
  init(late answer: ScriptedAnswer, limits: Limits = Limits()) {
    self.init(limits: limits)
    handle = { request in
      request.target.segment(at: 0).elementsEqual("a".utf8)
        ? .later(answer) : .response(Exchange.echo(request))
    }
  }
}
