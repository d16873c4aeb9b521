import Foundation
import Synchronization

@testable import TreeClient

/// A transport whose connections can be cut: what was under way fails, wherever it was.
final class BreakingTransport: TreeTransport {
  private struct State {
    var next = 0
    var cuts: [Int: @Sendable () -> Void] = [:]
  }

  private let inner = URLSessionTransport()
  private let state = Mutex(State())

  /// Cuts all connections. A request that was sent may have been carried out.
  func cut() {
    let cuts = state.withLock { state in
      defer { state.cuts = [:] }
      return state.cuts.values
    }
    for cut in cuts { cut() }
  }

  func send(_ request: TreeRequest) async throws -> TreeResponse {
    let (body, pieces) = AsyncThrowingStream.makeStream(of: Data.self)
    let work = Task { try await inner.send(request) }
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
