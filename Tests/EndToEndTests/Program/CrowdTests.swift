import Foundation
import HTTP
import TestSupport
import Testing

/// Many clients at once on few sessions, with fragmented, pipelined and invalid requests.
struct CrowdTests {
  private static let clients = 16

  @Test func `a crowd of clients gets right answers and leaves no connection open`() throws {
    let program = try Program(["--port", "0", "--loops", "3"])
    let port = try program.waitForPort()
    let sockets = try program.openSockets()
    let seed = Seed.fromEnvironment()
    // Warms up: the first crowd makes the server open all descriptors that it keeps.
    try runCrowd(port, seed: seed)
    let before = try program.waitForSockets(sockets)
    try runCrowd(port, seed: seed &+ 1)
    #expect(try program.waitForSockets(sockets) == before)
    program.send(SIGTERM)
    #expect(try program.waitForEnd().status == 0)
  }

  /// Runs all clients at once. Each session is shared by a quarter of them.
  private func runCrowd(_ port: UInt16, seed: UInt64) throws {
    let sessions = try (0..<4).map { _ in
      try RemoteSession(SocketAccess(port: port), #"{"expansion":"none"}"#).path
    }
    let rounds = Seed.operations(default: 30)
    let done = workAtOnce(Self.clients) { number in
      let path = sessions[number % sessions.count]
      var client = CrowdClient(number: number, port: port, session: path, seed: seed)
      return client.run(rounds: rounds)
    }
    #expect(done.compactMap(\.failure).isEmpty, "SEED=\(seed)")
    #expect(done.reduce(0) { $0 + $1.answers } >= Self.clients * rounds * 2)
    for session in sessions {
      try expectSum(of: done.filter { $0.session == session }, session, port)
    }
  }

  /// Expects that all nodes of a session's clients exist, and that each write had its own revision.
  private func expectSum(
    of reports: [CrowdClient.Report],
    _ session: String,
    _ port: UInt16
  ) throws {
    let access = SocketAccess(port: port)
    let answer = try access.send(Ask(.get, session)).json()
    #expect(answer["nodeCount"]?.integer == reports.reduce(0) { $0 + $1.nodes })
    let revisions = reports.flatMap(\.revisions).sorted()
    #expect(!revisions.isEmpty && revisions.elementsEqual(1...revisions.count))
    #expect(answer["revision"]?.integer == revisions.count)
    #expect(try access.send(Ask(.delete, session)).status == 204)
  }
}
