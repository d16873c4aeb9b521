import Foundation
import Synchronization

@testable import TreeClient

/// A transport that gives each request to a function, and remembers it.
final class FakeTransport: TreeTransport {
  private let requests = Mutex<[TreeRequest]>([])
  private let answer: @Sendable (TreeRequest, Int) async throws -> TreeResponse

  /// Makes a transport.
  ///
  /// - Parameter answer: Answers a request, given how many there were, this one included.
  init(_ answer: @escaping @Sendable (TreeRequest, Int) async throws -> TreeResponse) {
    self.answer = answer
  }

  /// All requests so far.
  var sent: [TreeRequest] { requests.withLock { $0 } }

  func send(_ request: TreeRequest) async throws -> TreeResponse {
    let count = requests.withLock { requests in
      requests.append(request)
      return requests.count
    }
    return try await answer(request, count)
  }
}

/// A failure of a network that there is not.
struct NetworkLost: Error {}

extension TreeResponse {
  /// An answer with JSON.
  static func json(
    _ text: String,
    status: Int = 200,
    headers: [String: String] = [:]
  ) -> TreeResponse {
    let (body, pieces) = AsyncThrowingStream.makeStream(of: Data.self)
    // Pieces may end anywhere.
    let half = text.utf8.count / 2
    pieces.yield(Data(text.utf8.prefix(half)))
    pieces.yield(Data(text.utf8.dropFirst(half)))
    pieces.finish()
    return TreeResponse(status: status, headers: headers, body: body)
  }

  /// A refusal.
  static func problem(
    _ status: Int,
    _ code: String,
    _ more: String = "",
    headers: [String: String] = [:]
  ) -> TreeResponse {
    let text = #"{"status": \#(status), "code": "\#(code)", "detail": "\#(code)."\#(more)}"#
    return json(text, status: status, headers: headers)
  }
}

/// A stream of events that a test writes.
struct FakeStream: Sendable {
  let response: TreeResponse
  private let pieces: AsyncThrowingStream<Data, any Error>.Continuation
  private let isLeft = Gate()

  init() {
    let (body, pieces) = AsyncThrowingStream.makeStream(of: Data.self)
    self.pieces = pieces
    response = TreeResponse(
      status: 200,
      headers: ["Content-Type": "text/event-stream"],
      body: body
    )
    pieces.onTermination = { [isLeft] reason in if case .cancelled = reason { isLeft.open() } }
  }

  func send(_ text: String) { pieces.yield(Data(text.utf8)) }

  func event(_ name: String, _ data: String) { send("event: \(name)\ndata: \(data)\n\n") }

  /// Sends a change list without entries.
  func list(_ before: Int, _ after: Int) { event("changes", Self.list(before, after)) }

  static func list(_ before: Int, _ after: Int) -> String {
    #"{"previousRevision": \#(before), "revision": \#(after), "rowCount": 1, "format": "ranges"}"#
  }

  func end() { pieces.finish() }

  func fail() { pieces.finish(throwing: NetworkLost()) }

  /// Waits until the client lets go of the stream.
  func left() async { await isLeft.wait() }
}

/// A gate that is opened once.
struct Gate: Sendable {
  private let signals: AsyncStream<Void>
  private let signal: AsyncStream<Void>.Continuation

  init() { (signals, signal) = AsyncStream.makeStream() }

  func open() { signal.finish() }

  func wait() async { for await _ in signals {} }
}

/// Returns a client of a transport, whose waits take no time.
func client(
  _ transport: any TreeTransport,
  _ clock: FakeClock = FakeClock(),
  credential: TreeCredential? = nil,
  middleware: [TreeMiddleware] = [],
  at address: String = "http://tree.example"
) throws -> TreeClient {
  guard let url = URL(string: address) else { throw URLError(.badURL) }
  return TreeClient(url, credential, transport, middleware, clock.pacing)
}
