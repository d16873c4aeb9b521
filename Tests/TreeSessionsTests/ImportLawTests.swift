import TestSupport
import Testing
import TreeDomain
import TreeSessions

/// Compares imports with single insertions of the same lines.
struct ImportLawTests {
  @Test(arguments: Seed.seeds(count: 12))
  func `an import equals single insertions, for the tree and for its sessions`(
    seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    let sort = random.oneIn(2) ? #","sort":[{"by":"/n"}]"# : ""
    let body = #"{"tree":"t","sections":["A","B"]\#(sort),"nodes":\#(Self.nodes)}"#
    let (one, other) = (try SharedStore(body), try SharedStore(body))
    let options = [
      #""expansion":"all""#, #""expansion":"none","expandedKeys":["a2"]"#, #""expansion":2"#,
      #""filter":{"by":"/n","above":3}"#, #""order":"breadthFirst""#,
    ]
    let watching = try options.map { try one.session($0) }
    let beside = try options.map { try other.session($0) }
    var keys = ["a", "a1", "a2", "a3", "b"]
    for round in 0..<4 {
      let lines = Self.lines(30, &keys, round, &random)
      let answer = try one.importLines(lines.map(\.line))
      for line in lines { try other.apply(line.operation) }
      #expect(answer.applied == lines.count)
      #expect(one.exported() == other.exported(), "SEED=\(seed)")
      for (session, twin) in zip(watching, beside) {
        #expect(try session.rows() == twin.rows(), "SEED=\(seed)")
      }
    }
  }

  fileprivate static let nodes =
    #"[{"key":"a","object":{"n":5},"children":[{"key":"a1","object":{"n":4}},"#
    + #"{"key":"a2","object":{"n":2},"children":[]},{"key":"a3","object":{"n":6}}]},"#
    + #"{"key":"b","section":"B","object":{"n":1},"children":"unloaded"}]"#

  /// Returns lines of an import and the operations that insert the same nodes.
  /// The nodes are below others or in sections, parents first.
  private static func lines(
    _ count: Int,
    _ keys: inout [String],
    _ round: Int,
    _ random: inout SeededGenerator
  ) -> [(line: String, operation: String)] {
    (0..<count).map { number in
      let key = "k\(round)_\(number)"
      let object = #""object":{"n":\#(random.number(in: 0...9))}"#
      let above =
        switch random.number(in: 0...5) {
        case 0: ""
        case 1: #","section":"\#(random.choice(["A", "B"]))""#
        default: #","parent":"\#(random.choice(keys))""#
        }
      let children = random.choice(["", #","children":[]"#, #","children":"unloaded""#])
      keys.append(key)
      let members = #""key":"\#(key)",\#(object)\#(above)\#(children)"#
      return ("{\(members)}", #"{"op":"insert",\#(members)}"#)
    }
  }

  static let refused: [(lines: [String], code: ServiceErrorCode, line: Int)] = [
    ([#"{"key":"x"}"#, #"{"key":"a"}"#], .duplicateKey, 2),
    ([#"{"key":"x"}"#, "", #"{"key":"x","parent":"none"}"#], .duplicateKey, 3),
    ([#"{"key":"x","parent":"y"}"#, #"{"key":"y"}"#], .parentNotFound, 1),
    ([#"{"key":"x"}"#, #"{"key":"y","parent":"y"}"#, #"{"key":"x"}"#], .parentNotFound, 2),
    ([#"{"key":"x"}"#, #"{"key":"x"}"#, #"{"key":"y","parent":"z"}"#], .duplicateKey, 2),
    ([#"{"key":"x","section":"C"}"#, #"{"key":"x"}"#], .sectionNotFound, 1),
  ]

  @Test(arguments: refused)
  func `a refusal names the first line that does not fit, and no line is applied`(
    lines: [String],
    code: ServiceErrorCode,
    line: Int
  ) throws {
    let shared = try SharedStore(#"{"sections":["A","B"],"nodes":\#(Self.nodes)}"#)
    let before = shared.exported()
    let error = refusal { () throws(ServiceError) in _ = try shared.importLines(lines) }
    #expect(error?.code == code)
    #expect(error?.line == line)
    #expect(shared.exported() == before)
    let again = try shared.importLines([#"{"key":"x"}"#, #"{"key":"y","parent":"x"}"#])
    #expect(again.nodeCount == 7)
  }
}

extension ImportLawTests {
  /// Refused lines for a tree of five nodes with room for seven, and for depth 2.
  /// The node a2 is at depth 1.
  static let tooLarge: [(lines: [String], code: ServiceErrorCode, line: Int)] = [
    ([#"{"key":"x"}"#, "", #"{"key":"y"}"#, #"{"key":"z"}"#], .contentTooLarge, 4),
    ([#"{"key":"x","parent":"a2"}"#, #"{"key":"y","parent":"x"}"#], .depthLimit, 2),
    ([#"{"key":"x","parent":"a2"}"#, "", #"{"key":"y","parent":"x"}"#], .depthLimit, 3),
  ]

  @Test(arguments: tooLarge, ["", #","sort":[{"by":"/n"}]"#])
  func `a refusal names the first line that exceeds a limit of depth or number`(
    refused: (lines: [String], code: ServiceErrorCode, line: Int),
    sort: String
  ) throws {
    var limits = SessionLimits()
    limits.maxNodesPerTree = 7
    limits.maxDepth = 2
    let body = #"{"sections":["A","B"]\#(sort),"nodes":\#(Self.nodes)}"#
    let shared = try SharedStore(body, limits: limits)
    let before = shared.exported()
    let error = refusal { () throws(ServiceError) in _ = try shared.importLines(refused.lines) }
    #expect(error?.code == refused.code && error?.line == refused.line)
    #expect(shared.exported() == before)
  }
}

extension SharedStore {
  fileprivate func importLines(_ lines: [String]) throws(ServiceError) -> TreeBatchAnswer {
    var decoder = ImportDecoder()
    try decoder.feed(Array(lines.joined(separator: "\n").utf8))
    return try store.importNodes(decoder.finish(), into: tree, BatchOptions())
  }

  fileprivate func exported() -> String {
    var text = ""
    guard let export = try? store.export(tree) else { return "no export" }
    while let bytes = export.next() { text += String(decoding: bytes, as: UTF8.self) }
    return text
  }
}
