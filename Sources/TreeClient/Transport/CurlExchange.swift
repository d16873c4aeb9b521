#if canImport(FoundationNetworking)
import Foundation
import Synchronization

/// A request of a ``CurlTransport``, and its answer as far as it has come.
final class CurlExchange: Sendable {
  /// A fault of a connection.
  struct Fault: Error, CustomStringConvertible {
    let description: String
  }

  private struct State {
    var status = 0
    var headers: [String: String] = [:]
    var isHeadDone = false
    var isCancelled = false
    var isOver = false
  }

  let request: TreeRequest
  private let state = Mutex(State())
  private let heads: AsyncThrowingStream<TreeResponse, any Error>
  private let head: AsyncThrowingStream<TreeResponse, any Error>.Continuation
  private let pieces: AsyncThrowingStream<Data, any Error>
  private let piece: AsyncThrowingStream<Data, any Error>.Continuation

  init(_ request: TreeRequest) {
    self.request = request
    (heads, head) = AsyncThrowingStream.makeStream()
    (pieces, piece) = AsyncThrowingStream.makeStream()
  }

  /// True once the caller wants no more.
  var isCancelled: Bool { state.withLock { $0.isCancelled } }

  /// True once the answer has ended.
  var isOver: Bool { state.withLock { $0.isOver } }

  /// The lines of the head that the caller sets.
  var fields: [String] {
    // Otherwise, libcurl waits for `100 Continue`, and names a type for requests without content.
    var fields = ["Expect:"]
    if request.headers["Content-Type"] == nil { fields.append("Content-Type:") }
    return fields + request.headers.map { "\($0): \($1)" }
  }

  /// Waits for the head.
  ///
  /// - Parameter cancel: A function that is called when the content is released.
  /// - Returns: The head, and the content as it comes.
  /// - Throws: ``Fault`` if the connection is lost; `CancellationError`.
  func response(cancel: @escaping @Sendable () -> Void) async throws -> TreeResponse {
    piece.onTermination = { reason in if case .cancelled = reason { cancel() } }
    for try await response in heads { return response }
    throw CancellationError()
  }

  /// Ends the exchange for its caller.
  func cancel() {
    state.withLock { $0.isCancelled = true }
    finish(CancellationError())
  }

  /// Receives a line of a head, without its line break.
  func receive(line: Substring) {
    let isComplete = state.withLock { state -> Bool in
      // Lines after the content are trailers.
      guard !state.isHeadDone else { return false }
      if line.hasPrefix("HTTP/") {
        state.status = line.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        state.headers = [:]
      } else if let colon = line.firstIndex(of: ":") {
        let value = line[line.index(after: colon)...]
        state.headers[String(line[..<colon])] = value.trimmingCharacters(in: .whitespaces)
      }
      // An interim response is followed by another head (RFC 9110, section 15.2).
      state.isHeadDone = line.isEmpty && state.status >= 200
      return state.isHeadDone
    }
    guard isComplete else { return }
    let (status, headers) = state.withLock { ($0.status, $0.headers) }
    head.yield(TreeResponse(status: status, headers: headers, body: pieces))
    head.finish()
  }

  /// Receives a piece of the content.
  func receive(piece data: Data) { piece.yield(data) }

  /// Ends the answer, with a fault or as it should.
  func end(_ fault: String?) {
    let isComplete = state.withLock { state -> Bool in
      state.isOver = true
      return state.isHeadDone
    }
    let reason = fault ?? (isComplete ? nil : "The connection ended inside the head.")
    finish(reason.map(Fault.init))
  }

  private func finish(_ error: (any Error)?) {
    head.finish(throwing: error)
    piece.finish(throwing: error)
  }
}
#endif
