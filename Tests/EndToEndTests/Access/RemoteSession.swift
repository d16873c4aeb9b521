import HTTP
import TestSupport
import Testing

/// A session of the service that is used through requests.
struct RemoteSession: SessionUnderTest {
  let access: any Access
  /// The path of the session.
  let path: String

  /// Creates a session.
  init(_ access: any Access, options: [UInt8]) throws {
    let answer = try access.send(Ask(.post, "/v1/sessions", options))
    guard answer.status == 201, let place = answer["Location"] else {
      throw WireError("no session was made: \(answer.status) \(answer.text)")
    }
    self.access = access
    path = place
  }

  /// Wraps an existing session.
  init(_ access: any Access, at path: String) {
    self.access = access
    self.path = path
  }

  /// Creates a session with options in JSON text.
  init(_ access: any Access, _ options: String) throws {
    try self.init(access, options: Array(options.utf8))
  }

  func send(
    _ method: String,
    _ path: String,
    headers: [(name: String, value: String)],
    body: [UInt8]
  ) throws -> ServiceAnswer {
    let service = AccessService(access: access)
    return try service.send(method, self.path + path, headers: headers, body: body)
  }

  /// Sends a request whose target is relative to the path of the session.
  func send(_ ask: Ask) throws -> Answer {
    var ask = ask
    ask.target = path + ask.target
    return try access.send(ask)
  }

  /// Applies operations, given as a JSON array, and requires success.
  @discardableResult
  func apply(_ operations: String, query: String = "") throws -> RawJSON {
    let answer = try batch(Array("{\"operations\":\(operations)}".utf8), query: query)
    let text = String(decoding: answer.body, as: UTF8.self)
    try #require(answer.status == 200, "\(text)")
    return try RawJSON(parsing: answer.body)
  }

  /// Reads a resource and requires success.
  func read(_ path: String) throws -> RawJSON {
    let answer = try get(path)
    let text = String(decoding: answer.body, as: UTF8.self)
    try #require(answer.status == 200, "\(path): \(text)")
    return try RawJSON(parsing: answer.body)
  }

  /// Returns the keys of all rows, read page by page.
  func keys() throws -> [String] {
    var keys: [String] = []
    while true {
      let page = try read("/rows?offset=\(keys.count)&limit=1000&fields=key")
      let rows = try #require(page["rows"]?.elements)
      if rows.isEmpty { return keys }
      keys += rows.compactMap { $0["key"]?.string }
    }
  }

  /// Returns all that can be read, to compare before and after a refused change.
  func state() throws -> [[UInt8]] {
    try ["", "/rows?limit=1000", "/children?limit=1000"].map { try get($0).body }
  }
}
