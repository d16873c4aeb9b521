import Synchronization
import Testing

@testable import TreeClient

/// A service that opens a stream for each who follows, and answers other reads of changes.
final class Follower: Sendable {
  let transport: FakeTransport
  let states = Mutex<[FollowState]>([])
  let clock: FakeClock
  private let opened: AsyncStream<FakeStream>

  /// Makes a service.
  ///
  /// - Parameters:
  ///   - clock: The clock of its client.
  ///   - answer: Answers a request; nil to open a stream.
  init(
    _ clock: FakeClock = FakeClock(draw: 0),
    _ answer: @escaping @Sendable (TreeRequest) async throws -> TreeResponse? = { _ in nil }
  ) {
    self.clock = clock
    let (opened, open) = AsyncStream.makeStream(of: FakeStream.self)
    self.opened = opened
    transport = FakeTransport { request, _ in
      if let response = try await answer(request) { return response }
      let stream = FakeStream()
      open.yield(stream)
      return stream.response
    }
  }

  /// Returns a session of the service.
  func session() throws -> TreeSession {
    TreeSession(try client(transport, clock), id: "s_1")
  }

  /// Follows from revision 0.
  func follow(
    _ session: TreeSession? = nil,
    heartbeat: Duration = .seconds(3_600)
  ) throws -> ChangeSequence<JSONValue>.Iterator {
    let options = FollowOptions(
      interval: .milliseconds(250),
      heartbeat: heartbeat,
      onState: { state in self.states.withLock { $0.append(state) } }
    )
    let session = try session ?? self.session()
    return session.changes(since: 0, options).makeAsyncIterator()
  }

  /// Waits until the client knows that a stream is open.
  func waitUntilLive() async {
    while states.withLock({ $0.last }) != .live { await Task.yield() }
  }

  /// Waits for the next stream that is opened.
  func stream() async throws -> FakeStream {
    var iterator = opened.makeAsyncIterator()
    return try #require(await iterator.next())
  }
}

extension TreeRequest {
  /// True if the request asks for a stream.
  var isOfStream: Bool { headers["Accept"] == "text/event-stream" }
}
