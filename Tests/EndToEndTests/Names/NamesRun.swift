import HTTP
import TestSupport
import Testing

/// Sends requests for single nodes through a client, and compares the forest with a model.
///
/// After each request the whole forest is read over a direct connection.
final class NamesRun {
  /// Roots that a misread path would reach.
  private static let decoys = """
    [{"key":"home","children":[]},{"key":"a","children":[{"key":"a1"}]},{"key":"b"},
    {"key":"docs","children":[{"key":"d1"}]}]
    """

  private let client: any NamesClient
  /// Returns the key of the node that the client reaches with a path; nil if it reaches none.
  private let target: (_ key: String, _ verb: String?) -> String?
  private let direct: SocketAccess
  private let session: RemoteSession
  private var model: KeyedForest
  private var count = 0

  /// Creates a tree and a session.
  init(
    _ client: any NamesClient,
    port: UInt16,
    target: @escaping (_ key: String, _ verb: String?) -> String? = { key, _ in key }
  ) throws {
    (self.client, self.target, direct) = (client, target, SocketAccess(port: port))
    let tree = Ask(.post, "/v1/trees", #"{"tree":"names","nodes":\#(Self.decoys)}"#)
    guard try direct.send(tree).status == 201 else { throw WireError("the tree was not created") }
    session = try RemoteSession(direct, #"{"tree":"names"}"#)
    model = try KeyedForest(exported: direct.send(Ask(.get, "/v1/trees/names/export")).body)
  }

  /// Applies every operation to a node by its path, and reads it by addresses without keys.
  func useNode(_ key: String) throws {
    count += 1
    try make(key)
    try read(key)
    try write("PATCH", key, nil, #"{"p":2}"#) { $0.replaceObject(of: $1, by: #"{"n":1,"p":2}"#) }
    try write("PUT", key, nil, #"{"object":3}"#) { $0.replaceObject(of: $1, by: "3") }
    let child = ModelKey("child \(count)")
    try write("PUT", key, "children", #"[{"key":"\#(child)"}]"#) {
      $0.replaceChildren(of: $1, by: child)
    }
    try write("POST", key, "expand", nil) { _, _ in }
    try write("POST", key, "move", #"{"parent":null,"first":true}"#) { $0.moveFirst($1) }
    try write("DELETE", key, nil, nil) { $0.remove($1) }
    guard model.contains(ModelKey(key)) else { return }
    try batch(#"{"op":"remove","key":\#(quoted(key))}"#)
    model.remove(ModelKey(key))
    try compare("removing \(key)")
  }

  /// Expects that requests for an impossible key change nothing, in each encoding.
  func useNoNode(_ key: String, written segment: String) throws {
    let writes: [(method: String, verb: String, body: String?)] = [
      ("PUT", "", #"{"object":1}"#), ("PATCH", "", #"{"filter":null}"#), ("DELETE", "", nil),
      ("PUT", "/children", "[]"), ("POST", "/move", #"{"first":true}"#), ("POST", "/expand", nil),
      ("POST", "/collapse", nil), ("POST", "/select", nil),
    ]
    let before = try session.state()
    for (method, verb, body) in writes {
      let answer = try send(method, key, verb, body, segment: segment)
      #expect((400..<500).contains(answer.status), "\(method) \(segment)\(verb)")
      try compare("\(method) \(segment)\(verb)")
    }
    #expect(try session.state() == before)
    for verb in ["", "/children", "/ancestors"] {
      let answer = try send("GET", key, verb, nil, segment: segment)
      // A misread path may answer for another node, but not under this key.
      let named = [answer.content?["key"]?.string, answer.content?["parent"]?.string]
      #expect(answer.status != 200 || !named.contains(key), "\(segment)\(verb)")
    }
  }

  /// Creates a node by its path, or by a batch if the path does not reach it.
  private func make(_ key: String) throws {
    let body = #"{"object":{"n":1},"parent":"home"}"#
    let reached = target(key, nil)
    let status = try send("PUT", key, "", body).status
    #expect((status == 200 || status == 201) == (reached != nil), "PUT \(key): \(status)")
    if let reached = reached.map({ ModelKey($0) }) {
      if model.contains(reached) {
        // PUT replaces the object of an existing node and moves it below the given parent.
        #expect(reached != ModelKey(key))
        model.moveLast(reached, under: "home")
        model.replaceObject(of: reached, by: #"{"n":1}"#)
      } else {
        model.insertLast(reached, under: "home", #"{"n":1}"#)
      }
    }
    try compare("PUT \(key)")
    guard !model.contains(ModelKey(key)) else { return }
    try batch(#"{"op":"insert","key":\#(quoted(key)),"parent":"home","object":{"n":1}}"#)
    model.insertLast(ModelKey(key), under: "home", #"{"n":1}"#)
    try compare("inserting \(key)")
  }

  /// Reads a node by its path and by addresses without keys.
  private func read(_ key: String) throws {
    let own = ModelKey(key)
    for (verb, member) in [(nil, "key"), ("children", "parent")] as [(String?, String)] {
      let answer = try send("GET", key, verb.map { "/\($0)" } ?? "", nil)
      let reached = target(key, verb).map { ModelKey($0) }
      // The answer contains the key of its node.
      let expected = reached.flatMap { model.contains($0) ? $0 : nil }
      #expect(answer.content?[member]?.key == expected, "GET \(key) \(verb ?? "")")
    }
    let get = NamesOrder(
      method: "POST",
      before: session.path + "/nodes/get",
      key: "",
      body: #"{"keys":[\#(quoted(key))]}"#
    )
    let nodes = try client.send(get).content?["nodes"]?.elements
    #expect(nodes?.count == 1 && nodes?.first?["key"]?.key == own, "nodes/get of \(key)")
    let order = NamesOrder(method: "GET", before: session.path + "/children?parent=", key: key)
    #expect(try client.send(order).content?["parent"]?.key == own, "children of \(key)")
  }

  /// Sends a write to a node's path, and compares the forest with the model.
  private func write(
    _ method: String,
    _ key: String,
    _ verb: String?,
    _ body: String?,
    _ change: (inout KeyedForest, ModelKey) -> Void
  ) throws {
    let reached = target(key, verb).map { ModelKey($0) }
    let status = try send(method, key, verb.map { "/\($0)" } ?? "", body).status
    let expected = reached.map(model.contains) ?? false
    let isNew = method == "PUT" && verb == nil && reached != nil && !expected
    #expect((200...201).contains(status) == (expected || isNew), "\(method) \(key): \(status)")
    if let reached, expected { change(&model, reached) }
    if let reached, isNew { model.appendRoot(reached, "3") }
    try compare("\(method) \(key) \(verb ?? "")")
  }

  private func send(
    _ method: String,
    _ key: String,
    _ after: String,
    _ body: String?,
    segment: String? = nil
  ) throws -> (status: Int, content: RawJSON?) {
    let before = session.path + "/nodes/"
    return try client.send(
      NamesOrder(
        method: method,
        before: before,
        key: key,
        segment: segment,
        after: after,
        body: body
      )
    )
  }

  /// Applies an operation through the client, and expects success.
  private func batch(_ operation: String) throws {
    let body = #"{"operations":[\#(operation)]}"#
    let before = session.path + "/batch"
    let order = NamesOrder(method: "POST", before: before, key: "", body: body)
    #expect(try client.send(order).status == 200, "\(operation)")
  }

  private func compare(_ request: String) throws {
    let exported = try direct.send(Ask(.get, "/v1/trees/names/export"))
    let forest = try KeyedForest(exported: exported.body)
    try #require(forest == model, "after \(request):\n\(forest)\ninstead of\n\(model)")
  }

  private func quoted(_ key: String) -> String {
    String(decoding: JSONText.string(key), as: UTF8.self)
  }
}
