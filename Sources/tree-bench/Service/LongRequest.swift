import TreeDomain
import TreeEngine
import TreeSessions

/// A request that keeps a tree busy for long.
struct LongRequest: Sendable {
  /// The whole request.
  let bytes: [UInt8]
  /// True if the answer comes in chunks.
  var isStreamed = false
  /// The tree of the request; nil if the request deletes it.
  var tree: TreeID?

  /// The kinds of long requests, each with a function that prepares a store for a size.
  static let all: [(name: String, make: @Sendable (SessionStore, Int) -> LongRequest)] = [
    ("an import", importing),
    ("a filter", filtering),
    ("a sort of a tenth as siblings", sorting),
    ("a batch that inserts a tenth", inserting),
    ("a diff of the forest", replacing),
    ("a removal of nine tenths", removing),
    ("an export", exporting),
    ("a deletion", deleting),
  ]

  private static func importing(_ store: SessionStore, _ size: Int) -> LongRequest {
    let tree = store.makeTree(.star, count: 1)
    let lines = ImportLines(.tenfold, count: size)
    return LongRequest("POST", tree, "/import", lines.bytes, type: "application/x-ndjson")
  }

  private static func filtering(_ store: SessionStore, _ size: Int) -> LongRequest {
    let tree = store.makeTree(.tenfold, count: size)
    let filter = #"{"filter":{"by":"/title","contains":"77"}}"#
    return LongRequest("PATCH", tree, store.makeSession(over: tree), "", Array(filter.utf8))
  }

  private static func sorting(_ store: SessionStore, _ size: Int) -> LongRequest {
    let tree = store.makeTree(.star, count: size / 10)
    let sort = #"{"op":"sort","key":"n0","by":[{"by":"/title","direction":"descending"}]}"#
    let body = #"{"operations":[\#(sort)]}"#
    return LongRequest("POST", tree, store.makeSession(over: tree), "/batch", Array(body.utf8))
  }

  private static func inserting(_ store: SessionStore, _ size: Int) -> LongRequest {
    let tree = store.makeTree(.tenfold, count: size)
    var body = Array(#"{"operations":["#.utf8)
    for number in 0..<size / 10 {
      body += (number == 0 ? #"{"op":"insert","key":"i"# : #",{"op":"insert","key":"i"#).utf8
      body.append(decimal: number)
      body += #"","parent":"n"#.utf8
      body.append(decimal: number * 7 % size)
      body += #"","object":{"title":"Leaf","size":4096,"kind":"file"}}"#.utf8
    }
    body += "]}".utf8
    return LongRequest("POST", tree, store.makeSession(over: tree), "/batch", body)
  }

  private static func replacing(_ store: SessionStore, _ size: Int) -> LongRequest {
    // As many as a body of 16 MiB holds.
    let count = size / 5
    let tree = store.makeTree(.tenfold, count: count)
    let session = store.makeSession(over: tree)
    return LongRequest("PUT", tree, session, "/forest", nested(.tenfold, count: count))
  }

  private static func removing(_ store: SessionStore, _ size: Int) -> LongRequest {
    let tree = store.makeTree(.tenfold, count: size)
    for level in 0..<10 {
      let rule = level == 0 ? ExpansionRule.all : .levels(level)
      _ = store.makeSession(over: tree, options: SessionOptions(expansion: rule))
    }
    let keys = topKeys(.tenfold, count: size).dropLast()
    let operations = keys.map { #"{"op":"remove","key":"\#($0)"}"# }.joined(separator: ",")
    return LongRequest("POST", tree, "/batch", Array(#"{"operations":[\#(operations)]}"#.utf8))
  }

  private static func exporting(_ store: SessionStore, _ size: Int) -> LongRequest {
    let tree = store.makeTree(.tenfold, count: size)
    var request = LongRequest("GET", tree, "/export", [])
    request.isStreamed = true
    return request
  }

  private static func deleting(_ store: SessionStore, _ size: Int) -> LongRequest {
    var request = LongRequest("DELETE", store.makeTree(.tenfold, count: size), "", [])
    request.tree = nil
    return request
  }

  // MARK: Bodies

  /// Returns the keys of the root's children.
  private static func topKeys(_ shape: Shape, count: Int) -> [String] {
    shape.depths(count: count).enumerated().filter { $0.element == 1 }.map { "n\($0.offset)" }
  }

  /// Returns a tree as nested nodes, of which every hundredth has another object than in
  /// ``NodeList``.
  private static func nested(_ shape: Shape, count: Int) -> [UInt8] {
    var body = Array("[".utf8)
    var last = -1
    for (number, depth) in shape.depths(count: count).enumerated() {
      if depth > last {
        body += (last < 0 ? "" : #","children":["#).utf8
      } else {
        for _ in depth..<last { body += "}]".utf8 }
        body += "},".utf8
      }
      last = depth
      body += #"{"key":"n"#.utf8
      body.append(decimal: number)
      body += #"","object":{"title":"Node "#.utf8
      body.append(decimal: number)
      body += #"","size":\#(number % 100 == 0 ? 1 : 4096),"kind":"file"}"#.utf8
    }
    for _ in 0..<last { body += "}]".utf8 }
    return body + Array("}]".utf8)
  }
}

extension LongRequest {
  private init(
    _ method: String,
    _ tree: TreeID,
    _ path: String,
    _ body: [UInt8],
    type: String = "application/json"
  ) {
    let path = Array("/v1/trees/".utf8) + tree.bytes + Array(path.utf8)
    bytes = ServiceRequest.request(method, path, body, type: type)
    self.tree = tree
  }

  private init(
    _ method: String,
    _ tree: TreeID,
    _ session: SessionID,
    _ path: String,
    _ body: [UInt8]
  ) {
    let path = Array("/v1/sessions/".utf8) + session.bytes + Array(path.utf8)
    bytes = ServiceRequest.request(method, path, body, type: "application/json")
    self.tree = tree
  }
}
