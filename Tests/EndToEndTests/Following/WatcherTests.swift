import Foundation
import Glibc
import HTTP
import Testing
import TreeClient

import struct TestSupport.ServerSentEvents

/// The cost of many followers, and of a follower that does not read.
struct WatcherTests {
  @Test func `thousands of watchers cost little memory and all get a write`() throws {
    let perSession = 10
    let sessions = try Self.descriptorLimit(atMost: 2_400) / 12
    let program = try Program(["--port", "0", "--loops", "2", "--max-connections", "4000"])
    let port = try program.waitForPort()
    let access = SocketAccess(port: port)
    #expect(try access.send(Ask(.post, "/v1/trees", #"{"tree":"t"}"#)).status == 201)
    let idle = try program.residentBytes()
    let paths = try (0..<sessions).map { _ in
      try RemoteSession(SocketAccess(port: port), #"{"tree":"t"}"#).path
    }
    let before = try program.residentBytes()
    let streams = try paths.flatMap { path in
      try (0..<perSession).map { _ in try EventStreamClient(port: port, path) }
    }
    let costs = (try program.residentBytes() - before) / streams.count
    print("\(streams.count) watchers: \(costs) bytes each")
    print("\(sessions) sessions: \((before - idle) / sessions) bytes each")
    #expect(costs < 64 << 10)
    let insertion = #"{"operations":[{"op":"insert","key":"a"}]}"#
    #expect(try access.send(Ask(.post, "/v1/trees/t/batch", insertion)).status == 200)
    for stream in streams {
      let event = try #require(try stream.next())
      #expect(event.id == "1" && event.type == "changes")
    }
    program.send(SIGTERM)
    for stream in streams {
      let end = try #require(try stream.next())
      #expect(end.type == "end" && end.data.contains("shutting-down") && end.id == "1")
      #expect(try stream.next() == nil)
    }
    #expect(try program.waitForEnd().status == 0)
  }

  /// Returns the number of descriptors that the process may use, up to `wish`.
  private static func descriptorLimit(atMost wish: Int) throws -> Int {
    var limit = rlimit()
    guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
      throw WireError("getrlimit: errno \(errno)")
    }
    return min(wish, Int(limit.rlim_cur) - 200)
  }

  /// The changes would be fifty megabytes of events. Unread events are not kept in memory, and the
  /// reader still catches up.
  @Test func `an unread stream does not grow the server's memory`() throws {
    let program = try Program([
      "--port", "0", "--loops", "2", "--write-stall-seconds", "3600",
      "--min-bytes-per-second", "0",
    ])
    let port = try program.waitForPort()
    let access = SocketAccess(port: port)
    let object = "\"" + String(repeating: "x", count: 200) + "\""
    let nodes = (0..<900).map { #"{"key":"\#($0)","object":\#(object)}"# }
    let session = try RemoteSession(
      access,
      #"{"nodes":[{"key":"all","children":[\#(nodes.joined(separator: ","))]}]}"#
    )
    try Self.toggle(session, times: 220)
    let before = try program.residentBytes()
    let query = "include=rows&limit=1000"
    let stream = try EventStreamClient(port: port, session.path, query: query)
    var replica = try Self.read(session)
    try Self.toggle(session, times: 220)
    let growth = try program.residentBytes() - before
    print("unread changes: \(growth) bytes")
    #expect(growth < 16 << 20)

    var bytes = 0
    while replica.revision < 440 {
      let event = try #require(try stream.next())
      bytes += event.data.utf8.count
      if event.type == "reset" {
        replica = try Self.read(session)
      } else if !Self.isKnown(event, to: replica) {
        let data = Data(event.data.utf8)
        try replica.apply(try JSONDecoder().decode(ChangeList<JSONValue>.self, from: data))
      }
    }
    #expect(bytes < 50 << 20, "events were dropped")
    #expect(replica.difference(from: try Self.read(session)) == nil)
    // The stream continues.
    try Self.toggle(session, times: 1)
    var next = try stream.next()
    while let event = next, Self.isKnown(event, to: replica) { next = try stream.next() }
    #expect(next?.id == "441")
    program.send(SIGTERM)
    #expect(try program.waitForEnd().status == 0)
  }

  /// Reads all rows, which are a thousand at most.
  private static func read(_ session: RemoteSession) throws -> RowReplica {
    let answer = try session.send(Ask(.get, "/rows?limit=1000"))
    let page = try JSONDecoder().decode(RowPage<JSONValue>.self, from: Data(answer.body))
    return RowReplica(page.rows, at: page.revision)
  }

  /// Returns true if the replica has the changes of an event. The rows read after a reset may be
  /// newer than the next events.
  private static func isKnown(_ event: ServerSentEvents.Event, to replica: RowReplica) -> Bool {
    Int(event.id).map { $0 <= replica.revision } ?? false
  }

  private static func toggle(_ session: RemoteSession, times: Int) throws {
    for _ in 0..<times {
      let ask = Ask(.post, "/nodes/all/toggle?changes=ranges")
      try #require(try session.send(ask).status == 200)
    }
  }
}
