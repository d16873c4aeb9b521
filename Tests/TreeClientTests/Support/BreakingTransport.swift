import Foundation
import Synchronization
import struct TestSupport.SeededGenerator

@testable import TreeClient

/// A transport whose connections can be cut: what was under way fails, wherever it was.
///
/// Some requests for streams and some pages are late, by as much as a wait between two connections
/// lasts. So the service changes between a page and the stream after it.
final class BreakingTransport: TreeTransport {
  private struct State {
    var random: SeededGenerator
    var next = 0
    var cuts: [Int: @Sendable () -> Void] = [:]
  }

  private let inner = TreeClient.usualTransport
  private let state: Mutex<State>

  /// Makes a transport; the seed decides what is late.
  init(seed: UInt64) { state = Mutex(State(random: SeededGenerator(seed: seed))) }

  /// Cuts all connections. A request that was sent may have been carried out.
  func cut() {
    let cuts = state.withLock { state in
      defer { state.cuts = [:] }
      return state.cuts.values
    }
    for cut in cuts { cut() }
  }

  private func delay() -> Duration {
    state.withLock { state in
      guard state.random.oneIn(3) else { return .zero }
      return .milliseconds(state.random.number(in: 0...100))
    }
  }

  func send(_ request: TreeRequest) async throws -> TreeResponse {
    let (body, pieces) = AsyncThrowingStream.makeStream(of: Data.self)
    let isPage = request.url.path.hasSuffix("/rows")
    let delay = isPage || request.isOfStream ? delay() : .zero
    let work = Task {
      // A page is late on its way back: it was read when the request came.
      if request.isOfStream { try await Task.sleep(for: delay) }
      let response = try await inner.send(request)
      if isPage { try await Task.sleep(for: delay) }
      return response
    }
    let number = state.withLock { state in
      state.next += 1
      state.cuts[state.next] = {
        work.cancel()
        pieces.finish(throwing: NetworkLost())
      }
      return state.next
    }
    let outcome = await withTaskCancellationHandler {
      await work.result
    } onCancel: {
      work.cancel()
    }
    guard case .success(let response) = outcome else { throw NetworkLost() }
    let copying = Task {
      do {
        for try await piece in response.body { pieces.yield(piece) }
        pieces.finish()
      } catch {
        pieces.finish(throwing: error)
      }
      _ = state.withLock { $0.cuts.removeValue(forKey: number) }
    }
    pieces.onTermination = { _ in copying.cancel() }
    return TreeResponse(
      status: response.status,
      headers: ["Retry-After": response.header("Retry-After") ?? ""],
      body: body
    )
  }
}
