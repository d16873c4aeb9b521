import Testing
import TreeDomain
import TreeStorage

@testable import TreeSessions

/// A stored tree with sessions of different options, the first of which is followed.
struct StoppedBench {
  let storage = MemoryStorage()
  let store: SessionStore
  let tree: TreeID
  private(set) var sessions: [StoreUnderTest]
  let follower: any Following

  init(hasSections: Bool) throws {
    store = try SessionStore(storage: storage, clock: { 1_000 })
    let sort = #""sort":[{"by":"/v","compare":"number"}]"#
    let nodes = #""nodes":[{"key":"k0","children":[{"key":"k1"},{"key":"k2"}]},{"key":"k3"}]"#
    let sections = hasSections ? #","sections":["A","B","C"]"# : ""
    let body = "{" + sort + "," + nodes + sections + "}"
    let made = try store.createTree(NewTree.decode(body: Array(body.utf8)), nil)
    tree = made.description.tree
    let shared = SharedStore(store: store, tree: tree)
    sessions = try [
      #""selection":"multiple""#,
      #""filter":{"not":{"by":"/v","equals":3}},"selection":"multiple""#,
      #""order":"breadthFirst","accordion":true"#,
      #""expansion":"none","nestedExpansion":"forget""#,
      #""expansion":1,"selection":"single""#,
    ].map { try shared.session($0) }
    follower = try store.follow(sessions[0].id, since: nil, BatchOptions()) {}
    try store.find(tree).withTree(.blocking) { $0.meter.interval = 1 }
  }

  /// Returns everything that clients and storage can see.
  func picture() throws -> [String] {
    let entries = storage.entries(of: TreeNumber(1), after: 0, bytes: .max).count
    var lines = [
      "\(entries) entries", "\(try store.tree(tree, expectedRevision: nil).revision)",
    ]
    for session in sessions {
      let query = ChangesQuery(since: Revision(0), options: BatchOptions())
      let changes = Result { () throws(ServiceError) in
        StoreUnderTest.json(try store.changes(of: session.id, query))
      }
      let state = try store.state(of: session.id, expectedRevision: nil)
      let keys = (state.toggledKeys + state.selectedKeys).map { Array(state[$0]) }
      lines += [try session.rows(), "\(changes)", "\(state.revision) \(keys)"]
    }
    return lines.map { line in
      sessions.enumerated().reduce(line) { line, session in
        named(line, session.element.id, "session \(session.offset)")
      }.replacing(String(decoding: tree.bytes, as: UTF8.self), with: "tree")
    }
  }

  /// Replaces an id, which is random, by a name.
  private func named(_ line: String, _ id: SessionID, _ name: String) -> String {
    line.replacing(String(decoding: id.bytes, as: UTF8.self), with: name)
  }

  /// Puts the session that a request wakes to sleep.
  func prepare(_ request: StoppedRequest) throws {
    guard let sleeper = request.sleeper else { return }
    let id = sessions[sleeper].id
    try store.find(tree).withTree(.blocking) { tree in
      let asleep = tree.putToSleep([id], unusedSince: .max)
      #expect(asleep == [id])
    }
  }

  /// Returns true if a session is asleep, and false for `nil`.
  func isAsleep(_ session: Int?) throws -> Bool {
    guard let session else { return false }
    let id = sessions[session].id
    return try store.find(tree).withTree(.blocking) { $0.asleep.sessions[id] != nil }
  }

  /// Answers a request under a control.
  mutating func answer(
    _ request: StoppedRequest,
    key: Int,
    _ control: (any WorkControl)?
  ) -> Result<String, ServiceError> {
    let face = SessionStore(store.core, .waiting(control))
    var options = BatchOptions()
    options.idempotency = IdempotencyKey(token: Array("\(key)".utf8), fingerprint: 1)
    var opened: SessionID?
    let result = Result { () throws(ServiceError) -> String in
      switch request {
      case .batch(let batch, let session):
        let id = sessions[session].id
        return named(StoreUnderTest.json(try face.apply(batch, to: id, options)), id, "session")
      case .treeBatch(let batch):
        return "\(try face.apply(batch, to: tree, options).revision)"
      case .patch(let patch, let session):
        let id = sessions[session].id
        let list = try face.patchSession(id, patch, options).list
        return "\(list.previousRevision) \(list.revision) \(list.rowCount)"
      case .importNodes(let nodes):
        return "\(try face.importNodes(nodes, into: tree, options).revision)"
      case .open(var new):
        new.tree = tree
        let made = try face.createSession(new, nil).description
        opened = made.session
        return "\(made.rowCount) \(made.selectedCount)"
      case .wake(let session):
        let id = sessions[session].id
        return "\(try face.session(id, expectedRevision: nil).rowCount)"
      }
    }
    if let opened { sessions.append(StoreUnderTest(opened, in: store)) }
    return result
  }
}
