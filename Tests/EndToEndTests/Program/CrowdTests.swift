import Foundation
import HTTP
import TestSupport
import Testing

/// Many clients at once, on a few sessions, each talking as badly as HTTP allows.
struct CrowdTests {
  private static let clients = 16

  @Test func `a crowd is answered rightly and leaves nothing open`() throws {
    let program = try Program(["--port", "0", "--loops", "3"])
    let port = try program.waitForPort()
    let sockets = try program.openSockets()
    let seed = Seed.fromEnvironment()
    // By the end of the first crowd the server has opened all it needs for itself.
    try visit(port, seed: seed)
    let before = try program.waitForSilence(sockets)
    try visit(port, seed: seed &+ 1)
    #expect(try program.waitForSilence(sockets) == before)
    program.send(SIGTERM)
    #expect(try program.waitForEnd().status == 0)
  }

  /// Has all clients work at once, on sessions of which each is shared by a quarter of them.
  private func visit(_ port: UInt16, seed: UInt64) throws {
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

  /// What the clients of a session have made is there, and every write had a revision of its own.
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
