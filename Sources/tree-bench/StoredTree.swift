import TreeDomain
import TreeEngine
import TreeSessions

/// A shared tree in a store, and requests to it as they come from clients, their bodies included.
struct StoredTree {
  let store: SessionStore
  let id: TreeID
  /// How many nodes were imported.
  let size: Int

  /// A tree of a shape, with the keys `n0`, `n1`, … in pre-order and objects of some 60 bytes.
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

  /// The lines of an import.
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

  /// An object of some 60 bytes.
  static func object(_ number: Int, size: Int) -> String {
    #"{"title":"Node \#(1_000_000 + number)","size":\#(size),"kind":"text/plain"}"#
  }

  // MARK: Requests

  /// Makes a session and gives its name.
  func open(_ body: String = "{}") -> SessionID {
    var new = Self.expectingSuccess { () throws(ServiceError) in
      try NewSession.decode(body: Array(body.utf8))
    }
    new.tree = id
    return Self.expectingSuccess { () throws(ServiceError) in
      try store.createSession(new, nil).description.session
    }
  }

  /// Sends a batch of operations and tells how many entries its change list has.
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

  /// Changes options of a session and tells how many rows it has then.
  @discardableResult
  func patch(_ body: String, of session: SessionID) -> UInt64 {
    let answer = Self.expectingSuccess { () throws(ServiceError) in
      let patch = try SessionPatch.decode(body: Array(body.utf8))
      return try store.patchSession(session, patch, BatchOptions())
    }
    return UInt64(answer.description.rowCount)
  }

  /// How many rows a session has.
  func rowCount(of session: SessionID) -> Int {
    Self.expectingSuccess { () throws(ServiceError) in
      try store.session(session, expectedRevision: nil).rowCount
    }
  }

  /// How many nodes differ from the rule of a session.
  func toggledCount(of session: SessionID) -> Int {
    Self.expectingSuccess { () throws(ServiceError) in
      try store.state(of: session, expectedRevision: nil).toggledKeys.count
    }
  }

  /// Ends a session.
  func end(_ session: SessionID) {
    Self.expectingSuccess { () throws(ServiceError) in _ = try store.deleteSession(session) }
  }

  /// What a request to the store gives, which can refuse none of them.
  static func expectingSuccess<Result>(_ request: () throws(ServiceError) -> Result) -> Result {
    do {
      return try request()
    } catch {
      preconditionFailure("a benchmark's request was refused: \(error)")
    }
  }
}
