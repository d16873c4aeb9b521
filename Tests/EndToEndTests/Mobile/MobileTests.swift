import Testing

import enum TestSupport.Seed
@testable import TreeClient

/// Clients whose connections break at any moment, on one tree.
@Suite(.serialized, .timeLimit(.minutes(30)))
struct MobileTests {
  private static let tree = #"{"tree":"shared","sections":["A","B"]}"#
  private static let options = [
    SessionOptions(expansion: .all), SessionOptions(expansion: .nothing),
    SessionOptions(expansion: .levels(1), nestedExpansion: .forget),
    SessionOptions(accordion: true),
    SessionOptions(filter: TreeFilter.value(by: "/n", .above(3))),
    SessionOptions(order: .breadthFirst),
    SessionOptions(viewSort: [TreeSortDescriptor(by: "/n", .descending)]),
  ]

  /// Settings that make rare events frequent for clients.
  ///
  /// If few changes or rows of the past are kept, clients must read again. If few events wait,
  /// clients fall behind.
  private static let settings = [
    ["--heartbeat-seconds", "1", "--max-history-commits", "5"],
    ["--heartbeat-seconds", "1", "--max-history-rows", "20", "--workers", "3"],
    ["--heartbeat-seconds", "1", "--max-queued-events", "1"],
  ]

  /// Nothing is applied twice, nothing is lost, and whoever follows ends with the rows there are.
  @Test(arguments: Seed.seeds(count: 3))
  func `clients on bad lines write once and end equal to the server`(seed: UInt64) async throws {
    print("SEED=\(seed)")
    let kind = Int(seed % UInt64(Self.settings.count))
    let program = try await AwaitedProgram.start(["--loops", "2"] + Self.settings[kind])
    let direct = try TreeClient.atPort(program.port)
    _ = try await direct.createTree(NewTree("shared", sections: ["A", "B"]))
    var apps = try await Self.run(seed, program.port)
    try await Self.expectCurrent(&apps, direct, "SEED=\(seed)")
    let resets = Self.resets(apps)
    var batches = try await Self.close(direct)
    // Now as little is new as is always kept.
    try await Self.expectCurrent(&apps, direct, "SEED=\(seed)")
    #expect(Self.resets(apps) == resets, "SEED=\(seed)")
    for app in apps { batches += await app.client.acknowledged }
    let difference = try await onThread { [batches] in
      let access = SocketAccess(port: program.port)
      return try SerialReplay.difference(batches, as: "shared", like: Self.tree, access)
    }
    #expect(difference == nil, "SEED=\(seed)")
    // It must have come upon what it is about.
    var breaks: [BadLine.Break: Int] = [:]
    var (replays, refusals, news, comparisons) = (0, 0, 0, 0)
    for app in apps {
      let client = await app.client
      breaks.merge(client.line.breaks) { $0 + $1 }
      replays += client.line.replays
      refusals += client.refusals
      news += await app.news
      if let app = app as? ViewApp { comparisons += await app.comparisons }
    }
    print("\(batches.count) batches, \(refusals) refused, \(replays) replays, \(breaks) breaks,")
    print("\(resets) resets, \(comparisons) comparisons meanwhile")
    #expect(BadLine.Break.allCases.allSatisfy { breaks[$0, default: 0] > 0 }, "SEED=\(seed)")
    #expect(news > 0 && replays > 0 && (resets > 0 || kind != 0), "SEED=\(seed)")
    #expect(try await program.stop() == 0)
  }

  /// Has all apps work at once.
  private static func run(_ seed: UInt64, _ port: UInt16) async throws -> [any MobileApp] {
    let steps = Seed.operations(default: 25)
    return try await withThrowingTaskGroup(of: (any MobileApp).self) { group in
      for (number, options) in options.enumerated() {
        group.addTask {
          let client = try await MobileClient(number: number, port: port, seed: seed, options)
          // With another seed, it is another app that has the options.
          let isList = (UInt64(number) &+ seed).isMultiple(of: 2)
          var app: any MobileApp =
            try await isList ? ListApp(client) as any MobileApp : ViewApp(client)
          try await app.run(steps: steps)
          return app
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
  }

  /// The number of times that apps had to read again, since the past was forgotten.
  private static func resets(_ apps: [any MobileApp]) -> Int {
    apps.reduce(0) { $0 + (($1 as? ListApp)?.resets ?? 0) }
  }

  /// Has each app learn what is new, and compares it with what the server reads out.
  private static func expectCurrent(
    _ apps: inout [any MobileApp],
    _ direct: TreeClient,
    _ label: String
  ) async throws {
    for index in apps.indices {
      try await apps[index].catchUp()
      let client = await apps[index].client
      let truth = try await RowReplica.read(TreeSession(direct, id: client.session.id))
      let difference = try await apps[index].difference(from: truth)
      #expect(difference == nil, "\(label), \(client.name)")
    }
  }

  /// Makes fewer changes than the service keeps under any settings.
  private static func close(_ direct: TreeClient) async throws -> [MobileClient.Acknowledged] {
    let batches: [[TreeOperation]] = [
      [.insert(NewNode("last", object: ["n": 4], ["of", "all"]))],
      [.move("all", into: nil, at: .first, section: "B"), .update("of", object: ["n": 5])],
      [.remove("last")],
    ]
    var acknowledged: [MobileClient.Acknowledged] = []
    for operations in batches {
      let change = try await direct.applyTreeBatch("shared", operations)
      acknowledged.append(try MobileClient.Acknowledged(operations, at: change.revision))
    }
    return acknowledged
  }
}
