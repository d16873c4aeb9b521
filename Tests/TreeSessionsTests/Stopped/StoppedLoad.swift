import TestSupport
import TreeDomain

/// Random requests of each kind, some of which are refused.
struct StoppedLoad {
  var random: SeededGenerator
  let hasSections: Bool
  private var imported = 0

  init(random: SeededGenerator, hasSections: Bool) {
    self.random = random
    self.hasSections = hasSections
  }

  /// Returns a request to one of `sessions` sessions, the first of which never sleeps.
  mutating func request(sessions: Int) throws -> StoppedRequest {
    let session = below(sessions)
    switch below(16) {
    case 0...7: return .batch(try batch(isOfView: false), by: session)
    case 8, 9: return .treeBatch(try batch(isOfView: true))
    case 10, 11, 12:
      return .patch(try SessionPatch.decode(body: Array(patch().utf8)), of: session)
    case 13: return .importNodes(try nodes())
    case 14 where sessions < 8:
      return .open(try NewSession.decode(body: Array(options().utf8)))
    default: return .wake(1 + below(sessions - 1))
    }
  }

  private mutating func below(_ count: Int) -> Int { random.number(in: 0...count - 1) }

  private mutating func key() -> String { "\"k\(below(16))\"" }

  /// Returns two different keys.
  private mutating func twoKeys() -> (String, String) {
    let first = below(16)
    let second = (first + 1 + below(15)) % 16
    return ("\"k\(first)\"", "\"k\(second)\"")
  }

  private mutating func value() -> String { #"{"v":\#(below(9))}"# }

  private mutating func place() -> String {
    [#""index":0"#, #""first":true"#, #""sort":[{"by":"/v","compare":"number"}]"#]
      .randomElement(using: &random).map { "," + $0 } ?? ""
  }

  private mutating func batch(isOfView: Bool) throws -> Batch {
    var list: [String] = []
    for _ in 0..<(1 + below(8)) {
      list.append(isOfView || below(3) > 0 ? dataOperation() : viewOperation())
    }
    let text = list.joined(separator: ",")
    return try Batch.decode(body: Array(#"{"operations":[\#(text)]}"#.utf8))
  }

  private mutating func dataOperation() -> String {
    let (key, other) = twoKeys()
    let value = value()
    let pair = #"[{"key":\#(other),"object":\#(value)},{"key":"new"}]"#
    switch below(hasSections ? 18 : 14) {
    case 0...3:
      let parent = below(3) == 0 ? "null" : other
      let rest = below(2) == 0 ? place() : ""
      return #"{"op":"insert","key":\#(key),"parent":\#(parent),"object":\#(value)\#(rest)}"#
    case 4: return #"{"op":"update","key":\#(key),"object":\#(value)}"#
    case 5: return #"{"op":"update","key":\#(key),"merge":\#(value)}"#
    case 6: return #"{"op":"remove","key":\#(key)}"#
    case 7: return #"{"op":"remove","keys":[\#(key),\#(other)]}"#
    case 8: return #"{"op":"move","keys":[\#(key)],"parent":\#(other)\#(place())}"#
    case 9: return #"{"op":"setChildren","key":\#(key),"children":\#(pair)}"#
    case 10: return #"{"op":"setChildren","key":null,"children":\#(pair)}"#
    case 11:
      let state = random.choice([#""unloaded""#, "null", "[]"])
      return #"{"op":"setChildren","key":\#(key),"children":\#(state)}"#
    case 12: return #"{"op":"sort","by":[{"by":"/v","direction":"descending"}]}"#
    case 13: return ##"{"op":"sort","key":\##(key),"by":[{"by":"/v"},{"by":"#key"}]}"##
    case 14: return #"{"op":"insertSection","section":"S\#(below(9))","index":0}"#
    case 15: return #"{"op":"removeSection","section":"\#(section())"}"#
    case 16: return #"{"op":"moveSection","section":"\#(section())","index":1}"#
    default: return #"{"op":"renameSection","section":"\#(section())","to":"S\#(below(9))"}"#
    }
  }

  private mutating func section() -> String { random.choice(["A", "B", "C", "S1", "S2"]) }

  private mutating func viewOperation() -> String {
    let (key, other) = twoKeys()
    switch below(hasSections ? 15 : 13) {
    case 0: return #"{"op":"toggle","key":\#(key)}"#
    case 1: return #"{"op":"expand","key":\#(key),"levels":"all"}"#
    case 2: return #"{"op":"expand","key":\#(key),"levels":2}"#
    case 3: return #"{"op":"collapse","key":\#(key),"levels":"all"}"#
    case 4: return #"{"op":"collapse","key":\#(key)}"#
    case 5: return #"{"op":"reveal","keys":[\#(key)]}"#
    case 6: return #"{"op":"reveal","keys":[\#(key)],"select":true}"#
    case 7: return #"{"op":"select","subtree":\#(key)}"#
    case 8: return #"{"op":"select","keys":[\#(key),\#(other)]}"#
    case 9: return #"{"op":"deselect","subtree":\#(key)}"#
    case 10: return #"{"op":"clearSelection"}"#
    case 11: return #"{"op":"expandAll"}"#
    case 12: return #"{"op":"collapseAll"}"#
    case 13: return #"{"op":"expandSection","section":"\#(section())"}"#
    default: return #"{"op":"collapseSection","section":"\#(section())"}"#
    }
  }

  private mutating func patch() -> String {
    switch below(8) {
    case 0: #"{"filter":{"by":"/v","above":\#(below(9))}}"#
    case 1: #"{"filter":null}"#
    case 2: #"{"order":"breadthFirst"}"#
    case 3: #"{"order":"depthFirst","viewSort":[{"by":"/v"}]}"#
    case 4: #"{"expansion":\#(below(3))}"#
    case 5: #"{"expansion":"\#(random.choice(["all", "none"]))","accordion":false}"#
    case 6: #"{"selection":"\#(random.choice(["multiple", "single", "none"]))"}"#
    default: #"{"filter":{"by":"/v","equals":\#(below(9))},"order":"breadthFirst","expansion":1}"#
    }
  }

  private mutating func options() -> String {
    switch below(4) {
    case 0: #"{"filter":{"by":"/v","below":\#(below(9))},"order":"breadthFirst"}"#
    case 1: #"{"expansion":2,"selection":"multiple"}"#
    case 2: #"{"expansion":"none","expandedKeys":[\#(key())]}"#
    default: #"{"order":"breadthFirst"}"#
    }
  }

  private mutating func nodes() throws -> Import {
    var decoder = ImportDecoder()
    for _ in 0..<(1 + below(6)) {
      let parent = below(2) == 0 ? "" : #","parent":\#(key())"#
      let line = #"{"key":"i\#(imported)","object":\#(value())\#(parent)}"# + "\n"
      try decoder.feed(Array(line.utf8))
      imported += 1
    }
    return try decoder.finish()
  }
}
