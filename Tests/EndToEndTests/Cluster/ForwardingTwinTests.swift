import HTTP
import TestSupport
import Testing
import TreeAPI
import TreeDomain
import TreeSessions

/// Requests through an instance that has none of the trees are answered as by one that has them.
struct ForwardingTwinTests {
  @Test(arguments: Seed.seeds(count: 4))
  func `a forwarded request is answered like one that is not`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    try withServer { port in
      let cluster = try TestCluster()
      let twins = ServiceTwins(
        [cluster.instances[0].access, SocketAccess(port: port)],
        context: "SEED=\(seed)"
      )
      var requests = TwinRequests(seed: seed)
      for ask in requests.opening() { try twins.send(ask) }
      for _ in 0..<Seed.operations(default: 250) {
        requests.keys = try twins.keys()
        try twins.send(requests.next(sessions: twins.sessionCount))
        guard random.oneIn(60) else { continue }
        for ask in requests.survey(sessions: twins.sessionCount) { try twins.send(ask) }
      }
      #expect(cluster.instances[0].store.trees(after: nil, limit: 1).trees.isEmpty)
    }
  }
}
