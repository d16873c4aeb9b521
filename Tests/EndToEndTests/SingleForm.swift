import HTTP
import TestSupport

/// An operation of a batch in the form of its own request.
struct SingleForm {
  /// The members that each operation can have in such a request, beside its key.
  private static let members: [String: Set<String>] = [
    "insert": ["parent", "object", "children", "index", "before", "after", "first", "sort"],
    "update": ["object"],
    "merge": ["merge"],
    "move": ["parent", "index", "before", "after", "first", "sort"],
    "expand": ["levels"], "collapse": ["levels"], "toggle": ["levels"],
    "remove": [], "reveal": [], "expandAll": [], "collapseAll": [],
  ]

  /// The names of all forms.
  static let names = Set(members.keys)

  let name: String
  let ask: Ask

  /// The status of success.
  var status: Int { name == "insert" ? 201 : 200 }

  /// Creates the form of an operation. Returns nil if the operation is malformed, or has no form,
  /// such as one with several keys.
  ///
  /// - Parameters:
  ///   - operation: The operation as in a batch.
  ///   - isThere: Returns true if a node with the key exists. An insert is the PUT of a new node.
  init?(_ operation: RawJSON, isThere: (ModelKey) throws -> Bool) rethrows {
    guard case .object(let members) = operation.kind, let op = operation["op"]?.string else {
      return nil
    }
    let rest = members.filter { !["op", "key"].contains(String(decoding: $0.name, as: UTF8.self)) }
    name = operation["merge"] == nil ? op : "merge"
    let given = Set(rest.map { String(decoding: $0.name, as: UTF8.self) })
    guard let known = Self.members[name], given.isSubset(of: known) else { return nil }
    var body = JSONText.object(rest.map { (JSONText.string($0.name), $0.value.bytes) })
    // A body without members may be left out, which half of the requests do.
    if rest.isEmpty && operation.bytes.count.isMultiple(of: 2) { body = [] }
    if ["expandAll", "collapseAll"].contains(name) {
      guard operation["key"] == nil else { return nil }
      ask = Ask(.post, "/\(name)", body)
      return
    }
    guard let key = operation["key"]?.key, !key.bytes.isEmpty else { return nil }
    let path = "/nodes/\(key.pathSegment)"
    switch name {
    case "insert", "update":
      guard try isThere(key) == (name == "update"), name == "insert" || !rest.isEmpty else {
        return nil
      }
      ask = Ask(.put, path, body)
    case "merge": ask = Self.patch(path, operation["merge"]?.bytes ?? [])
    case "remove": ask = Ask(.delete, path)
    default: ask = Ask(.post, "\(path)/\(name)", body)
    }
  }

  private static func patch(_ path: String, _ body: [UInt8]) -> Ask {
    let type =
      body.count.isMultiple(of: 2) ? "application/json" : "application/merge-patch+json"
    return Ask(.patch, path, body, fields: [("Content-Type", type)])
  }
}

/// A session that sends each batch of one operation in its single form.
struct SingleFormSession: SessionUnderTest {
  let session: RemoteSession
  let tally: Tally

  func batch(_ body: [UInt8], query: String) throws -> (status: Int, body: [UInt8]) {
    let operations = try RawJSON(parsing: body)["operations"]?.elements ?? []
    let isThere = { (key: ModelKey) in try get("/nodes/\(key.pathSegment)").status == 200 }
    guard operations.count == 1, let form = try SingleForm(operations[0], isThere: isThere) else {
      return try session.batch(body, query: query)
    }
    var ask = form.ask
    if !query.isEmpty { ask.target += "?\(query)" }
    let answer = try session.send(ask)
    guard (200...299).contains(answer.status) else { return (answer.status, answer.body) }
    tally.count(form.name)
    let place = form.status == 201 ? session.path + form.ask.target : nil
    guard answer.status == form.status, answer["Location"] == place else {
      throw WireError("\(form.name) was answered with \(answer)")
    }
    return (200, answer.body)
  }

  func send(
    _ method: String,
    _ path: String,
    headers: [(name: String, value: String)],
    body: [UInt8]
  ) throws -> ServiceAnswer {
    try session.send(method, path, headers: headers, body: body)
  }
}
