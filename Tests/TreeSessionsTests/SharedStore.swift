import Synchronization
import TreeDomain
import TreeSessions

/// A store with one shared tree.
struct SharedStore {
  let store: SessionStore
  let tree: TreeID

  /// Wraps an existing tree of a store.
  init(store: SessionStore, tree: TreeID) {
    self.store = store
    self.tree = tree
  }

  init(_ body: String, limits: SessionLimits = SessionLimits()) throws {
    store = SessionStore(limits: limits)
    tree = try store.createTree(NewTree.decode(body: Array(body.utf8)), nil).description.tree
  }

  /// Creates a session on the tree; `members` are the other members of its body.
  func session(_ members: String) throws -> StoreUnderTest {
    let id = String(decoding: tree.bytes, as: UTF8.self)
    let rest = members.isEmpty ? "" : "," + members
    return try StoreUnderTest(#"{"tree":"\#(id)"\#(rest)}"#, in: store)
  }

  @discardableResult
  func apply(_ operations: String...) throws(ServiceError) -> TreeBatchAnswer {
    let list = operations.joined(separator: ",")
    let batch = try Batch.decode(body: Array(#"{"operations":[\#(list)]}"#.utf8))
    return try store.apply(batch, to: tree, BatchOptions())
  }
}

extension StoreUnderTest {
  func revision() throws(ServiceError) -> UInt64 {
    try store.session(id, expectedRevision: nil).revision.number
  }
}

/// A clock that a test sets.
final class ManualClock: Sendable {
  private let seconds = Atomic<Int>(0)

  var now: Int {
    get { seconds.load(ordering: .relaxed) }
    set { seconds.store(newValue, ordering: .relaxed) }
  }
}
