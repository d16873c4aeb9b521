import HTTP
import HTTPServer
import Synchronization

/// Answers `/late/N` with the late answer of that number and everything else like `EchoHandler`;
/// content for `/sink` goes to a receiver.
struct LateHandler: RequestHandler {
  let answers: [any LateAnswer]
  var sink: SinkReceiver?

  func respond(to request: Request) -> Reply {
    let target = request.target
    guard target.segment(at: 0).elementsEqual("late".utf8),
      let index = Int(String(decoding: target.segment(at: 1), as: UTF8.self))
    else { return EchoHandler().respond(to: request) }
    return .later(answers[index])
  }

  func isVital(_ request: Request) -> Bool {
    request.target.segment(at: 0).elementsEqual("vital".utf8)
  }

  func receiver(for request: Request) -> (any BodyReceiver)? {
    request.target.segment(at: 0).elementsEqual("sink".utf8) ? sink : nil
  }
}

/// Counts content and forgets it.
final class SinkReceiver: BodyReceiver {
  private struct Sizes {
    var sum = 0
    var longest = 0
  }

  let maxBytes: Int
  private let refusedAfter: Int
  private let sizes = Mutex(Sizes())

  init(maxBytes: Int, refusedAfter: Int = .max) {
    self.maxBytes = maxBytes
    self.refusedAfter = refusedAfter
  }

  /// The most bytes that came at once.
  var longest: Int { sizes.withLock { $0.longest } }

  func receive(_ bytes: ArraySlice<UInt8>) -> Response? {
    let sum = sizes.withLock { sizes in
      sizes.sum += bytes.count
      sizes.longest = max(sizes.longest, bytes.count)
      return sizes.sum
    }
    return sum > refusedAfter ? Response(.unprocessableContent) : nil
  }

  func finish() -> Reply {
    .response(Response(.ok, body: Array("<\(sizes.withLock { $0.sum })>".utf8)))
  }

  func cancel() {}
}
