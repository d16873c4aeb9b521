import Glibc
import HTTP
import HTTPServer
import TestSupport
import Testing
import TreeAPI
import TreeSessions

/// Behaviour while commits are slow.
struct SlowDiskTests {
  /// A service over a gated storage, with two sessions on private trees.
  private struct Fixture {
    let storage: GatedStorage
    let server: Server
    let writer: WorkerPool
    let session: RemoteSession
    let other: RemoteSession

    init(readsWait: Bool = false) throws {
      storage = GatedStorage(readsWait: readsWait)
      let writer = try WorkerPool(threads: 1, maxQueued: 1)
      self.writer = writer
      let store = try SessionStore(storage: storage, clock: { 1_000 }, commit: writer.assign)
      var options = ServerOptions()
      options.port = 0
      options.loops = 1
      server = try Server(options: options, limits: Limits(), handler: TreeAPI(service: store))
      try server.start()
      let access = SocketAccess(port: server.port)
      session = try RemoteSession(access, Sample.options)
      other = try RemoteSession(access, Sample.options)
      storage.shut()
    }

    /// Sends a batch, and returns the connection once the commit is blocked.
    func begin() throws -> BlockingConnection {
      let connection = try BlockingConnection(port: server.port)
      let body = #"{"operations":[{"op":"insert","key":"new"}]}"#
      try connection.send(Ask(.post, "\(session.path)/batch", body).bytes)
      storage.waitForCommit()
      return connection
    }

    func end() {
      storage.open()
      server.stop(withinMilliseconds: 10_000)
      writer.stop(finishing: true)
    }
  }

  @Test func `reads are answered while a batch waits for the disk`() throws {
    let fixture = try Fixture()
    defer { fixture.end() }
    let waiting = try fixture.begin()
    for session in [fixture.other, fixture.session] {
      let page = try session.read("/rows?limit=1")
      #expect(page["rows"]?.elements?.count == 1)
      #expect(try session.read("/nodes/fruit")["session"] != nil)
    }
    fixture.storage.open()
    let answer = try waiting.receive()
    #expect(answer.status == 200)
    #expect(try answer.json()["revision"]?.integer == 1)
    #expect(try fixture.session.read("/nodes/new")["revision"]?.integer == 1)
  }

  /// Another instance may take over, and must not contradict what was shown.
  @Test func `a read waits for the commit that it shows, if the storage asks for that`() throws {
    let fixture = try Fixture(readsWait: true)
    defer { fixture.end() }
    let path = fixture.session.path
    let writing = try fixture.begin()
    let targets = ["\(path)/rows", "\(path)/changes?since=0", "\(path)/nodes/new", path]
    let reads = try targets.map { target in
      let connection = try BlockingConnection(port: fixture.server.port)
      try connection.send(Ask(.get, target).bytes)
      return connection
    }
    let refused = try BlockingConnection(port: fixture.server.port)
    try refused.send(Ask(.get, "\(path)/nodes/none").bytes)
    // Another tree does not wait, and its answer comes after those requests were read.
    #expect(try fixture.other.read("/rows?limit=1")["revision"]?.integer == 0)
    for connection in reads + [refused, writing] { #expect(!connection.hasNews) }
    fixture.storage.open()
    for (target, connection) in zip(targets, reads) {
      let answer = try connection.receive()
      #expect(answer.status == 200, "\(target)")
      #expect(try answer.json()["revision"]?.integer == 1, "\(target)")
    }
    #expect(try refused.receive().status == 404)
    #expect(try writing.receive().status == 200)
  }

  @Test func `on stop, pending batches are answered and streams get a reconnection time`() throws {
    let fixture = try Fixture()
    let waiting = try fixture.begin()
    let stream = try EventStreamClient(port: fixture.server.port, fixture.other.path)
    try stream.read()
    let server = fixture.server
    let stop = BackgroundWork { server.stop(withinMilliseconds: 60_000) }
    while try stream.next() != nil {}
    #expect(stream.retry != nil, "the stream has a reconnection time")
    #expect(throws: WireError.self) { try BlockingConnection(port: fixture.server.port) }
    #expect(!stop.isDone)
    fixture.storage.open()
    let answer = try waiting.receive()
    #expect(answer.status == 200 && answer["Connection"] == "close")
    #expect(try stop.result() == 0)
    fixture.end()
  }
}
