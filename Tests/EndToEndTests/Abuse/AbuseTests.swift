import Foundation
import Glibc
import HTTP
import TestSupport
import Testing

/// Attacks: other clients are served meanwhile, and no resource leaks.
struct AbuseTests {
  private static func serve(_ settings: [String]) throws -> (Program, UInt16) {
    let program = try Program(["--port", "0", "--loops", "1", "--storage", "memory"] + settings)
    return (program, try program.waitForPort())
  }

  @Test(arguments: Abuse.allCases)
  func `an attack leaves other clients served and leaks nothing`(abuse: Abuse) throws {
    let (program, port) = try Self.serve(Abuse.settings)
    let sockets = try program.openSockets()
    let session = try RemoteSession(SocketAccess(port: port), Sample.options).path
    // Warms up: the first run allocates the memory that the attack needs.
    try abuse.commit(port, session)
    let descriptors = try program.waitForSockets(sockets)
    let memory = try program.residentBytes()

    let work = BackgroundWork { try abuse.commit(port, session) }
    var served = 0
    repeat {
      let ask = Ask(.get, session + "/rows")
      // A new connection for each request.
      #expect(try SocketAccess(port: port).send(ask).status == 200)
      served += 1
      usleep(2_000)
    } while !work.isDone
    _ = try work.result()
    #expect(served > 0)
    #expect(try program.waitForSockets(sockets) == descriptors)
    let growth = try program.residentBytes() - memory
    #expect(growth < 8 << 20, "\(growth) bytes more after \(abuse)")
    program.send(SIGTERM)
    #expect(try program.waitForEnd().status == 0)
  }

  @Test func `pipelined answers are not produced before the client reads them`() throws {
    let (program, port) = try Self.serve(["--write-stall-seconds", "3600"])
    let requests = Array(repeating: Ask(.get, "/openapi.yaml").bytes, count: 200).joined()
    let before = try program.residentBytes()
    let clients = try (0..<20).map { _ in try BlockingConnection(port: port) }
    for client in clients { try client.send(requests) }
    // All pipelined requests have been scheduled when these are answered.
    let access = SocketAccess(port: port)
    for _ in 0..<200 { #expect(try access.send(Ask(.get, "/healthz")).status == 200) }
    let growth = try program.residentBytes() - before
    #expect(growth < 32 << 20, "\(growth) bytes for answers nobody reads")
    // The pending answers arrive when the client reads after all.
    for _ in 0..<200 { #expect(try clients[7].receive().status == 200) }
  }

  @Test func `a flood of connections does not disturb open connections`() throws {
    let (program, port) = try Self.serve(["--max-connections", "30"])
    let sockets = try program.openSockets()
    try Self.flood(port, besides: 30)
    _ = try program.waitForSockets(sockets)
    #expect(try SocketAccess(port: port).send(Ask(.get, "/healthz")).status == 200)
  }

  /// Keeps `count` requests half sent while other connections come and go.
  private static func flood(_ port: UInt16, besides count: Int) throws {
    let busy = try (0..<count).map { _ in try BlockingConnection(port: port) }
    let ask = Ask(.post, "/v1/sessions", "{}")
    for client in busy { try client.send(ask.bytes.dropLast()) }
    #expect(try BlockingConnection(port: port).receive().status == 503)
    for _ in 0..<10 {
      let flood = (0..<100).compactMap { _ in try? BlockingConnection(port: port) }
      for client in flood.prefix(50) { client.resetAtEnd() }
    }
    for client in busy {
      try client.send("}".utf8)
      #expect(try client.receive().status == 201)
    }
  }

  @Test func `out of descriptors, open connections are served, and later new ones`() throws {
    let (program, port) = try Self.serve([])
    let sockets = try program.openSockets()
    let access = SocketAccess(port: port)
    #expect(try access.send(Ask(.get, "/healthz")).status == 200)
    try program.limitDescriptors(to: try program.openDescriptors().count + 5)
    var clients = try (0..<50).map { _ in try BlockingConnection(port: port) }
    for client in clients { try? client.send(Ask(.get, "/healthz").bytes) }
    var served = 0
    for client in clients where (try? client.receive().status) == 200 { served += 1 }
    #expect((1...10).contains(served), "\(served) were served")
    for _ in 0..<50 { #expect(try access.send(Ask(.get, "/healthz")).status == 200) }
    clients = []
    try program.limitDescriptors(to: 512)
    for _ in 0..<50 {
      #expect(try SocketAccess(port: port).send(Ask(.get, "/healthz")).status == 200)
    }
    // The listener and the connection of `access`.
    _ = try program.waitForSockets(sockets + 1)
    #expect(try access.send(Ask(.get, "/metrics")).text.contains("connections_refused_total"))
  }

  @Test func `a process that is stopped and continued repeatedly answers every request`() throws {
    let (program, port) = try Self.serve([])
    let session = try RemoteSession(SocketAccess(port: port), Sample.options).path
    let work = BackgroundWork {
      let access = SocketAccess(port: port)
      for index in 0..<300 {
        let key = #"{"operations":[{"op":"insert","key":"n\#(index)"}]}"#
        let answer = try access.send(Ask(.post, session + "/batch", key))
        guard answer.status == 200 else { throw WireError("\(answer)") }
      }
    }
    // A stop signal interrupts blocking system calls (signal(7)).
    repeat {
      program.send(SIGSTOP)
      program.send(SIGCONT)
      usleep(500)
    } while !work.isDone
    _ = try work.result()
    program.send(SIGTERM)
    #expect(try program.waitForEnd().status == 0)
  }
}
