import TreeDomain
import TreeEngine
import TreeSessions

/// A shared tree in a store, and requests to it, which include decoding their bodies.
struct StoredTree {
  let store: SessionStore
  let id: TreeID
  /// The number of imported nodes.
  let size: Int

  /// Imports a tree with the keys `n0`, `n1`, … in pre-order, and objects of about 60 bytes.
  init(_ shape: Shape, count: Int) {
    var limits = SessionLimits()
    limits.maxSessions = 100_000
    store = SessionStore(limits: limits)
    size = count
    guard let id = TreeID(validating: "catalog".utf8) else { preconditionFailure("not an id") }
    self.id = id
    let store = store
    Self.expectingSuccess { () throws(ServiceError) in
      _ = try store.createTree(NewTree(tree: id), nil)
      var decoder = ImportDecoder()
      try decoder.feed(Self.lines(of: shape, count: count))
      _ = try store.importNodes(decoder.finish(), into: id, BatchOptions())
    }
  }

  /// Returns the lines of an import.
  private static func lines(of shape: Shape, count: Int) -> [UInt8] {
    var lines: [UInt8] = []
    var path: [String] = []
    var random = SplitMix(seed: 3)
    for (number, depth) in shape.depths(count: count).enumerated() {
      path.removeSubrange(depth...)
      let parent = path.last.map { #","parent":"\#($0)""# } ?? ""
      let object = object(number, size: random.below(1_000_000))
      let line = #"{"key":"\#(key(number))"\#(parent),"object":\#(object)}"#
      lines.append(contentsOf: line.utf8)
      lines.append(UInt8(ascii: "\n"))
      path.append(key(number))
    }
    return lines
  }

  static func key(_ number: Int) -> String { "n\(number)" }

  /// Returns an object of about 60 bytes.
  static func object(_ number: Int, size: Int) -> String {
    #"{"title":"Node \#(1_000_000 + number)","size":\#(size),"kind":"text/plain"}"#
  }

  // MARK: Requests

  /// Creates a session and returns its id.
  func open(_ body: String = "{}") -> SessionID {
    var new = Self.expectingSuccess { () throws(ServiceError) in
      try NewSession.decode(body: Array(body.utf8))
    }
    new.tree = id
    return Self.expectingSuccess { () throws(ServiceError) in
      try store.createSession(new, nil).description.session
    }
  }

  /// Applies a batch of operations; returns the number of entries of its change list.
  @discardableResult
  func apply(
    _ operations: String,
    to session: SessionID,
    _ options: BatchOptions = BatchOptions()
  ) -> Int {
    let answer = Self.expectingSuccess { () throws(ServiceError) in
      let batch = try Batch.decode(body: Array("{\"operations\":[\(operations)]}".utf8))
      return try store.apply(batch, to: session, options)
    }
    return answer.changes.count
  }

  /// Changes options of a session; returns its new number of rows.
  @discardableResult
  func patch(_ body: String, of session: SessionID) -> UInt64 {
    let answer = Self.expectingSuccess { () throws(ServiceError) in
      let patch = try SessionPatch.decode(body: Array(body.utf8))
      return try store.patchSession(session, patch, BatchOptions())
    }
    return UInt64(answer.description.rowCount)
  }

  /// Returns the number of rows of a session.
  func rowCount(of session: SessionID) -> Int {
    Self.expectingSuccess { () throws(ServiceError) in
      try store.session(session, expectedRevision: nil).rowCount
    }
  }

  /// Returns the number of nodes that differ from the rule of a session.
  func toggledCount(of session: SessionID) -> Int {
    Self.expectingSuccess { () throws(ServiceError) in
      try store.state(of: session, expectedRevision: nil).toggledKeys.count
    }
  }

  /// Deletes a session.
  func end(_ session: SessionID) {
    Self.expectingSuccess { () throws(ServiceError) in _ = try store.deleteSession(session) }
  }

  /// Returns the result of a request, which must not be refused.
  static func expectingSuccess<Result>(_ request: () throws(ServiceError) -> Result) -> Result {
    do {
      return try request()
    } catch {
      preconditionFailure("a benchmark's request was refused: \(error)")
    }
  }
}
