import Glibc
import HTTP
import HTTPServer
import TestSupport
import Testing
import TreeAPI
import TreeSessions

/// The disk takes its time.
struct SlowDiskTests {
  /// A service over storage that can be shut, and two sessions of it over trees of their own.
  private struct House {
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

    /// Sends a batch, and gives the connection when it waits for the disk.
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
    let house = try House()
    defer { house.end() }
    let waiting = try house.begin()
    for session in [house.other, house.session] {
      let page = try session.read("/rows?limit=1")
      #expect(page["rows"]?.elements?.count == 1)
      #expect(try session.read("/nodes/fruit")["session"] != nil)
    }
    house.storage.open()
    let answer = try waiting.receive()
    #expect(answer.status == 200)
    #expect(try answer.json()["revision"]?.integer == 1)
    #expect(try house.session.read("/nodes/new")["revision"]?.integer == 1)
  }

  /// Another instance may take over, and must not contradict what was shown.
  @Test func `reads wait for what they show where the storage asks for it`() throws {
    let house = try House(readsWait: true)
    defer { house.end() }
    let path = house.session.path
    let writing = try house.begin()
    let targets = ["\(path)/rows", "\(path)/changes?since=0", "\(path)/nodes/new", path]
    let reads = try targets.map { target in
      let connection = try BlockingConnection(port: house.server.port)
      try connection.send(Ask(.get, target).bytes)
      return connection
    }
    let refused = try BlockingConnection(port: house.server.port)
    try refused.send(Ask(.get, "\(path)/nodes/none").bytes)
    // Another tree does not wait, and its answer comes after those requests were read.
    #expect(try house.other.read("/rows?limit=1")["revision"]?.integer == 0)
    for connection in reads + [refused, writing] { #expect(!connection.hasNews) }
    house.storage.open()
    for (target, connection) in zip(targets, reads) {
      let answer = try connection.receive()
      #expect(answer.status == 200, "\(target)")
      #expect(try answer.json()["revision"]?.integer == 1, "\(target)")
    }
    #expect(try refused.receive().status == 404)
    #expect(try writing.receive().status == 200)
  }

  @Test func `told to stop, it answers what waits for the disk and bids streams farewell`() throws {
    let house = try House()
    let waiting = try house.begin()
    let stream = try EventStreamClient(port: house.server.port, house.other.path)
    try stream.read()
    let stop = BackgroundWork { [server = house.server] in server.stop(withinMilliseconds: 60_000) }
    while try stream.next() != nil {}
    #expect(stream.retry != nil, "when to come again")
    #expect(throws: WireError.self) { try BlockingConnection(port: house.server.port) }
    #expect(!stop.isDone)
    house.storage.open()
    let answer = try waiting.receive()
    #expect(answer.status == 200 && answer["Connection"] == "close")
    #expect(try stop.result() == 0)
    house.end()
  }
}
