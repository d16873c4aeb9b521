import HTTP
import HTTPServer
import Synchronization

/// A handler with deferred answers at `/late/N` and a receiver at `/sink`.
///
/// It answers all other requests like `EchoHandler`.
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

/// A receiver that counts content and discards it.
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

  /// The largest number of bytes received at a time.
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
