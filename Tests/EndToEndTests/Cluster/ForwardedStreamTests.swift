import Dispatch
import Foundation
import HTTP
import HTTPServer
import TestSupport
import Testing
import TreeAPI
import TreeSessions

/// Streams and waiting requests through an instance that has none of the sessions.
struct ForwardedStreamTests {
  private let cluster: TestCluster
  private let session: RemoteSession

  init() throws {
    cluster = try TestCluster(isCoding: true)
    session = try RemoteSession(cluster.owner.access, #"{"nodes":[{"key":"a"}]}"#)
  }

  private func change(_ key: String) throws {
    let batch = #"{"operations":[{"op":"insert","key":"\#(key)"}]}"#
    let answer = try cluster.owner.access.send(Ask(.post, session.path + "/batch", batch))
    try #require(answer.status == 200, "\(answer.text)")
  }

  private func follow() throws -> EventStreamClient {
    try EventStreamClient(port: cluster.instances[0].port, session.path)
  }

  private func waitForFollowers(_ count: Int) throws -> Bool {
    for _ in 0..<1_000 {
      if try cluster.figure("tree_server_followers", of: 1) == count { return true }
      usleep(10_000)
    }
    return false
  }

  /// Stops an instance while something else is done.
  private func stop(_ index: Int, while body: () throws -> Void) throws {
    let server = cluster.instances[index].server
    let isStopped = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      server.stop(withinMilliseconds: 20_000)
      isStopped.signal()
    }
    try body()
    #expect(isStopped.wait(timeout: .now() + 30) == .success)
  }

  @Test func `events come as they happen`() throws {
    let client = try follow()
    for revision in 1...3 {
      try change("k\(revision)")
      let events = try client.events(upTo: revision)
      #expect(events.map(\.type) == ["changes"] && events[0].data.contains("k\(revision)"))
    }
    #expect(try waitForFollowers(1))
  }

  @Test func `events are resumed by their id`() throws {
    for revision in 1...3 { try change("k\(revision)") }
    let port = cluster.instances[0].port
    let client = try EventStreamClient(port: port, session.path, lastID: 1)
    let event = try #require(try client.next())
    #expect(event.id == "3", "\(event)")
    #expect(!event.data.contains("\"k1\"") && event.data.contains("\"k2\""), "\(event)")
  }

  @Test func `events are compressed where the client asks for it`() throws {
    let connection = try BlockingConnection(port: cluster.instances[0].port)
    let fields = [("Accept", "text/event-stream"), ("Accept-Encoding", "gzip")]
    let ask = Ask(
      .get,
      session.path + "/changes",
      "",
      fields: fields.map { (name: $0.0, value: $0.1) }
    )
    try connection.send(ask.bytes)
    let head = try connection.receiveHead()
    #expect(head["Content-Encoding"] == "gzip" && head["Vary"] == "Accept, Prefer")
    #expect(head.fields.contains { $0.name == "Vary" && $0.value == "Accept-Encoding" })
  }

  @Test func `a client that leaves ends its stream where the session is`() throws {
    var client: EventStreamClient? = try follow()
    #expect(try client?.readEvents().isEmpty == true)
    #expect(try waitForFollowers(1))
    client = nil
    #expect(try waitForFollowers(0))
  }

  @Test(arguments: [0, 1])
  func `a stream ends with an event when an instance stops`(instance: Int) throws {
    let client = try follow()
    try change("k")
    #expect(try client.next()?.type == "changes")
    try stop(instance) {
      let last = try #require(try client.next())
      #expect(last.type == "end" && last.data.contains("shutting-down"))
      #expect(try client.next() == nil)
    }
    if instance == 0 { #expect(try waitForFollowers(0)) }
  }

  @Test func `a stream is cut off with the instance of its session`() throws {
    let proxy = try CuttingProxy(to: Int(cluster.owner.port))
    cluster.plan.setAddress("127.0.0.1:\(proxy.port)", of: 1)
    let client = try follow()
    try change("k1")
    #expect(try client.next()?.type == "changes")
    proxy.set(.cutAnswer(with: Array("k2".utf8)))
    try change("k2")
    #expect(throws: WireError.self) {
      while try client.next() != nil {}
    }
  }

  @Test func `a waiting request gets what happens`() throws {
    let connection = try BlockingConnection(port: cluster.instances[0].port)
    try connection.send(Ask(.get, session.path + "/changes?since=0&wait=60").bytes)
    #expect(try waitForFollowers(1))
    try change("k")
    let answer = try connection.receive()
    #expect(answer.status == 200 && answer.text.contains(#""k""#) && answer["ETag"] == "\"1\"")
  }

  @Test func `a waiting request is answered when the first instance stops`() throws {
    let connection = try BlockingConnection(port: cluster.instances[0].port)
    let target = session.path + "/changes?since=0&wait=60&changes=rows"
    try connection.send(Ask(.get, target).bytes)
    #expect(try waitForFollowers(1))
    try stop(0) {
      let answer = try connection.receive()
      #expect(try answer.status == 200 && answer.json()["revision"]?.integer == 0)
    }
    #expect(try waitForFollowers(0))
  }
}
