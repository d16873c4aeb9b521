import Foundation
import HTTP
import Synchronization

import struct TestSupport.SeededGenerator

@testable import TreeClient

/// A transport whose connections break: before a request is sent, in the middle of it, before its
/// answer has come, or within the answer.
///
/// Streams of events break sooner or later, too.
final class BadLine: TreeTransport {
  /// A moment at which a connection breaks.
  enum Break: CaseIterable, Hashable, Sendable {
    case beforeRequest
    case withinRequest
    case beforeAnswer
    case withinAnswer
  }

  /// The error of a request whose connection broke.
  struct Broken: Error {
    var moment: Break
  }

  /// The course of a connection.
  private struct Course {
    /// The moment of its break; nil if it holds.
    var moment: Break?
    /// The number of pieces of the answer that come through whole.
    var pieces: Int
    /// The share of a request, or of a piece, that comes through, from 0 up to 1.
    var share: Double
  }

  private struct State {
    var random: SeededGenerator
    var breaks: [Break: Int] = [:]
    var replays = 0
  }

  private let port: UInt16
  private let inner = TreeClient.usualTransport
  private let state: Mutex<State>

  /// Makes a line to a port; the seed decides when it breaks.
  init(port: UInt16, seed: UInt64) {
    self.port = port
    state = Mutex(State(random: SeededGenerator(seed: seed)))
  }

  /// The number of breaks at each moment.
  var breaks: [Break: Int] { state.withLock { $0.breaks } }

  /// The number of answers that were given before, as the service says.
  var replays: Int { state.withLock { $0.replays } }

  /// Returns a client that uses the line.
  func client() throws -> TreeClient { try TreeClient.atPort(port, self) }

  func send(_ request: TreeRequest) async throws -> TreeResponse {
    let course = course(of: request)
    switch course.moment {
    case nil: return receive(try await inner.send(request))
    case .beforeRequest: throw Broken(moment: .beforeRequest)
    case .withinRequest, .beforeAnswer:
      try await onThread { [port] in
        let bytes = request.bytes
        let count = course.moment == .beforeAnswer ? 1 : course.share
        let connection = try BlockingConnection(port: port)
        try connection.send(bytes.prefix(Int(Double(bytes.count) * count)))
      }
      throw Broken(moment: course.moment ?? .beforeAnswer)
    case .withinAnswer: return cut(receive(try await inner.send(request)), course)
    }
  }

  /// Decides what becomes of a request.
  private func course(of request: TreeRequest) -> Course {
    let isStream = request.headers["Accept"] == "text/event-stream"
    return state.withLock { state in
      var moment = Break.allCases.dropFirst(state.random.number(in: 0...7)).first
      if isStream && moment == nil { moment = .withinAnswer }
      if let moment { state.breaks[moment, default: 0] += 1 }
      return Course(
        moment: moment,
        pieces: state.random.number(in: 0...(isStream ? 20 : 1)),
        share: Double.random(in: 0..<1, using: &state.random)
      )
    }
  }

  private func receive(_ response: TreeResponse) -> TreeResponse {
    if response.header("Idempotency-Replayed") == "true" { state.withLock { $0.replays += 1 } }
    return response
  }

  /// Returns an answer that is cut off somewhere, at its end at the latest.
  private func cut(_ response: TreeResponse, _ course: Course) -> TreeResponse {
    let (body, pieces) = AsyncThrowingStream.makeStream(of: Data.self)
    let copying = Task {
      var left = course.pieces
      do {
        for try await piece in response.body {
          guard left > 0 else {
            pieces.yield(piece.prefix(Int(Double(piece.count) * course.share)))
            break
          }
          left -= 1
          pieces.yield(piece)
        }
        pieces.finish(throwing: Broken(moment: .withinAnswer))
      } catch {
        pieces.finish(throwing: error)
      }
    }
    pieces.onTermination = { _ in copying.cancel() }
    var cut = response
    cut.body = body
    return cut
  }
}

extension TreeClient {
  /// Returns a client of a service on this machine, whose waits between attempts are short.
  static func atPort(
    _ port: UInt16,
    _ transport: any TreeTransport = TreeClient.usualTransport
  ) throws -> TreeClient {
    guard let url = URL(string: "http://127.0.0.1:\(port)") else { throw WireError("no address") }
    // As random as they are.
    let pacing = Pacing(sleep: { try await Task.sleep(for: $0 / 50) })
    return TreeClient(url, nil, transport, [], pacing)
  }
}

extension TreeRequest {
  /// The request as HTTP/1.1 sends it.
  fileprivate var bytes: [UInt8] {
    let query = url.query(percentEncoded: true).map { "?\($0)" } ?? ""
    let ask = Ask(
      HTTP.Method(rawValue: method) ?? .get,
      url.path(percentEncoded: true) + query,
      body.map(Array.init) ?? [],
      fields: headers.map { ($0.key, $0.value) }
    )
    return ask.bytes
  }
}
