import HTTP
import Synchronization

/// A late answer that says what a test has it say, and notes what it is told.
final class ScriptedAnswer: LateAnswer {
  private struct Script {
    var steps: [LateStep]
    var notes: [String] = []
  }

  private let script: Mutex<Script>
  private let endsOnDrain: Bool
  private let isFirm: Bool

  /// An answer of these steps, which waits after them.
  ///
  /// - Parameters:
  ///   - steps: The steps.
  ///   - endsOnDrain: Whether it ends when the server wants to stop.
  ///   - isFirm: Whether it must be waited for, however long that takes.
  init(_ steps: LateStep..., endsOnDrain: Bool = false, isFirm: Bool = false) {
    script = Mutex(Script(steps: steps))
    self.endsOnDrain = endsOnDrain
    self.isFirm = isFirm
  }

  /// What it was told, in order; being asked is not noted.
  var notes: [String] { script.withLock { $0.notes } }

  /// The steps it has not given yet.
  var stepsLeft: Int { script.withLock { $0.steps.count } }

  func append(_ step: LateStep) { script.withLock { $0.steps.append(step) } }

  func start(_ waker: Waker) { note("start") }

  func next(now: Moment) -> LateStep {
    script.withLock { $0.steps.isEmpty ? .wait(milliseconds: nil) : $0.steps.removeFirst() }
  }

  func cancel() { note("cancel") }

  func withdraw() -> Bool {
    if isFirm { note("withdraw") }
    return !isFirm
  }

  func drain() {
    note("drain")
    if endsOnDrain { append(.end) }
  }

  func clientFinished() { note("finished") }

  private func note(_ text: String) { script.withLock { $0.notes.append(text) } }
}

extension Exchange {
  /// An exchange in which requests for `/a` are answered late, and others at once.
  init(late answer: ScriptedAnswer, limits: Limits = Limits()) {
    self.init(limits: limits)
    handle = { request in
      request.target.segment(at: 0).elementsEqual("a".utf8)
        ? .later(answer) : .response(Exchange.echo(request))
    }
  }
}
