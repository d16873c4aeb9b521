import HTTP
import Synchronization

/// A receiver that records its calls, and refuses content if a test asks for it.
final class NotedReceiver: BodyReceiver {
  private struct Notes {
    var content: [UInt8] = []
    var longest = 0
    var endings: [String] = []
  }

  let maxBytes: Int
  private let refusesAtOnce: Bool
  private let collects: Bool
  private let refusedByte: UInt8?
  private let lateAnswer: ScriptedAnswer?
  private let notes = Mutex(Notes())

  init(
    maxBytes: Int = 1_000_000,
    refusesAtOnce: Bool = false,
    collects: Bool = false,
    refusing byte: Character? = nil,
    answeringLate lateAnswer: ScriptedAnswer? = nil
  ) {
    self.maxBytes = maxBytes
    self.refusesAtOnce = refusesAtOnce
    self.collects = collects
    refusedByte = byte?.asciiValue
    self.lateAnswer = lateAnswer
  }

  /// The received content.
  var content: String { notes.withLock { String(text: $0.content) } }

  /// The largest number of bytes received at a time.
  var longest: Int { notes.withLock { $0.longest } }

  /// The endings; exactly one if all is well.
  var endings: [String] { notes.withLock { $0.endings } }

  var heldBytes: Int? { collects ? notes.withLock { $0.content.count } : nil }

  func begin() -> Response? { refusesAtOnce ? refusal("refused at once") : nil }

  func receive(_ bytes: ArraySlice<UInt8>) -> Response? {
    notes.withLock { notes in
      notes.content += bytes
      notes.longest = max(notes.longest, bytes.count)
    }
    guard let refusedByte, bytes.contains(refusedByte) else { return nil }
    return refusal("refused")
  }

  func finish() -> Reply {
    notes.withLock { $0.endings.append("finished") }
    if let lateAnswer { return .later(lateAnswer) }
    return .response(Response(.ok, body: Array(content.utf8)))
  }

  func cancel() { notes.withLock { $0.endings.append("cancelled") } }

  private func refusal(_ ending: String) -> Response {
    notes.withLock { $0.endings.append(ending) }
    return Response(.unprocessableContent)
  }
}
