import HTTP
import TestSupport

/// Random requests of all kinds. They use few keys, trees and sessions, so that many of them
/// interact.
struct TwinRequests {
  private var random: SeededGenerator
  /// Keys of existing nodes, which most requests use.
  var keys: [String] = []
  /// Requests with an idempotency key, which may be sent again.
  private var retries: [Ask] = []

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  /// Returns the first requests: they create trees, and a session for each.
  mutating func opening() -> [Ask] {
    (0...2).flatMap { number in
      [
        Ask(.post, "/v1/trees", #"{"tree":"t\#(number)","nodes":\#(nodes())}"#),
        Ask(.post, "/v1/sessions", #"{"tree":"t\#(number)",\#(option())}"#),
      ]
    }
  }

  /// Returns a random request, given the number of sessions.
  mutating func next(sessions: Int) -> Ask {
    // Prefers the newest sessions.
    let back = random.oneIn(8) ? sessions : min(sessions, 3)
    let session =
      "/v1/sessions/" + ServiceTwins.name(sessions - random.number(in: 1...max(1, back)))
    let ask =
      switch random.number(in: 0...19) {
      case 0: Ask(.post, "/v1/sessions", newSession(), fields: token())
      case 1: Ask(.post, "/v1/trees", newTree(), fields: token())
      case 2 where random.oneIn(8):
        Ask(.delete, random.oneIn(3) ? session : tree(), fields: token())
      case 2...3: survey(sessions: sessions).randomElement(using: &random) ?? reading(session)
      case 4...8: Ask(.post, session + "/batch" + query(), batch(), fields: conditions())
      case 9: Ask(.post, tree() + "/batch", batch(), fields: conditions())
      case 10: importing()
      case 11: Ask(.patch, session, #"{\#(option())}"#, fields: token())
      case 12...13: single(session)
      case 14: retries.isEmpty ? Ask(.get, "/v1/trees") : random.choice(retries)
      default: reading(session)
      }
    if ask.fields.contains(where: { $0.name == "Idempotency-Key" }) {
      retries.append(ask)
      if retries.count > 12 { retries.removeFirst() }
    }
    return ask
  }

  /// Returns requests that read the whole state.
  func survey(sessions: Int) -> [Ask] {
    let places = ["", "/state", "/rows?limit=1000", "/sections"]
    let since = (0..<8).map { "/changes?since=\($0)" }
    return (0..<sessions).flatMap { session in
      (places + since).map { Ask(.get, "/v1/sessions/" + ServiceTwins.name(session) + $0) }
    }
      + [Ask(.get, "/v1/trees")]
  }

  // MARK: Parts

  private mutating func key() -> String {
    if let key = keys.randomElement(using: &random), !random.oneIn(3) { return key }
    return random.oneIn(12) ? random.choice(["/", "é"]) : "k\(random.number(in: 0...5))"
  }

  private mutating func tree() -> String { "/v1/trees/t\(random.number(in: 0...2))" }

  private mutating func token() -> [(name: String, value: String)] {
    random.oneIn(3) ? [("Idempotency-Key", "i\(random.number(in: 0...4))")] : []
  }

  private mutating func conditions() -> [(name: String, value: String)] {
    token() + (random.oneIn(10) ? [("If-Match", "\"\(random.number(in: 0...8))\"")] : [])
  }

  private mutating func query() -> String {
    random.choice(["", "", "?changes=ranges", "?include=rows", "?dryRun=true"])
  }

  private mutating func object() -> String {
    random.choice([
      "null", #"{"n":1,"t":"b"}"#, #"{"n":2,"t":"a"}"#, "12.50", "[1]",
      #"{"t":"\#(String(repeating: "y", count: 40))"}"#,
    ])
  }

  private mutating func nodes(_ depth: Int = 0) -> String {
    let list = (0..<random.number(in: 0...(3 - depth))).map { _ in
      let children =
        switch random.number(in: 0...5) {
        case 0...1 where depth < 2: #","children":\#(nodes(depth + 1))"#
        case 2: #","children":"unloaded""#
        default: ""
        }
      return #"{"key":"\#(key())","object":\#(object())\#(children)}"#
    }
    return "[\(list.joined(separator: ","))]"
  }

  private mutating func option() -> String {
    random.choice([
      #""expansion":"all""#, #""expansion":"none""#, #""expansion":1"#, #""expansion":2"#,
      #""order":"breadthFirst""#, #""order":"depthFirst""#, #""filter":null"#,
      #""filter":{"by":"/t","contains":"a"}"#, #""filter":{"by":"/n","above":1}"#,
      #""selection":"none""#, #""selection":"single""#, #""selection":"multiple""#,
      #""nestedExpansion":"forget""#, #""accordion":true"#, #""viewSort":null"#,
      #""viewSort":[{"by":"/t"}]"#, ##""viewSort":[{"by":"#key","direction":"descending"}]"##,
    ])
  }

  private mutating func newSession() -> String {
    let tree =
      random.oneIn(4) ? #""nodes":\#(nodes())"# : #""tree":"t\#(random.number(in: 0...2))""#
    return "{\(tree),\(option())}"
  }

  private mutating func newTree() -> String {
    let rest = random.choice(["", #","sort":[{"by":"/n"}]"#, #","sections":["A","B"]"#])
    return #"{"tree":"t\#(random.number(in: 0...2))","nodes":\#(nodes())\#(rest)}"#
  }

  private mutating func place() -> String {
    random.choice([
      "", "", #","index":\#(random.number(in: 0...3))"#, #","before":"\#(key())""#,
      #","first":true"#,
    ])
  }

  private mutating func operation() -> String {
    let (key, other) = (key(), key())
    let about = "\"key\":\"\(key)\""
    let (made, place) = ("k\(random.number(in: 0...9))", place())
    return switch random.number(in: 0...19) {
    case 0...3:
      op("insert", #""key":"\#(made)","parent":"\#(other)","object":\#(object())\#(place)"#)
    case 4: op("insert", #"\#(about),"children":\#(nodes(1))\#(place)"#)
    case 5...6: op("update", #"\#(about),"object":\#(object())"#)
    case 7: op("remove", about)
    case 8...9: op("move", #"\#(about),"parent":"\#(other)"\#(place)"#)
    case 10: op("setChildren", #"\#(about),"children":\#(nodes())"#)
    case 11:
      op("setChildren", #"\#(about),"children":"\#(random.choice(["unloaded", "failed"]))""#)
    case 12: op(random.choice(["collapse", "toggle", "select", "reveal"]), about)
    case 13...16: op("expand", about)
    case 17: op(random.choice(["expandAll", "collapseAll", "clearSelection"]), nil)
    case 18:
      op(random.choice(["insertSection", "removeSection", "collapseSection"]), #""section":"A""#)
    default:
      op(
        "moveSection",
        #""section":"\#(random.choice(["", "A"]))","index":\#(random.oneIn(2) ? 0 : 1)"#
      )
    }
  }

  private func op(_ name: String, _ members: String?) -> String {
    #"{"op":"\#(name)"\#(members.map { "," + $0 } ?? "")}"#
  }

  private mutating func batch() -> String {
    let operations = (0..<random.choice([1, 1, 1, 2, 3])).map { _ in operation() }
    return #"{"operations":[\#(operations.joined(separator: ","))]}"#
  }

  private mutating func importing() -> Ask {
    let lines = (0..<random.number(in: 0...5)).map { _ in
      let parent = random.oneIn(2) ? #","parent":"\#(key())""# : ""
      return #"{"key":"\#(key())"\#(parent),"object":\#(object())}"#
    }
    let type = [(name: "Content-Type", value: "application/x-ndjson")]
    return Ask(.post, tree() + "/import", lines.joined(separator: "\n"), fields: type + token())
  }

  private mutating func single(_ session: String) -> Ask {
    let node = session + "/nodes/k\(random.number(in: 0...5))"
    return switch random.number(in: 0...4) {
    case 0: Ask(.put, node, #"{"object":\#(object())}"#, fields: conditions())
    case 1: Ask(.delete, node, fields: conditions())
    case 2: Ask(.put, node + "/children", nodes(), fields: conditions())
    case 3: Ask(.put, session + "/forest", nodes(), fields: conditions())
    default:
      Ask(.post, node + random.choice(["/expand", "/collapse", "/select"]), fields: conditions())
    }
  }

  private mutating func reading(_ session: String) -> Ask {
    let place = random.choice([
      "", "/state", "/rows", "/rows?around=k1&before=1&after=1", "/sections", "/children",
      "/search?q=a",
      "/nodes/k\(random.number(in: 0...5))", "/changes?since=\(random.number(in: 0...9))",
    ])
    return Ask(.get, session + place)
  }
}
