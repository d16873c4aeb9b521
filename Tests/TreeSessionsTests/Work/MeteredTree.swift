import TreeDomain
import TreeEngine

@testable import TreeSessions

/// A tree without a store, with a meter that a test reads.
struct MeteredTree: ~Copyable {
  var manager: TreeManager

  init(_ body: String, limits: SessionLimits = SessionLimits()) throws(ServiceError) {
    var random = SystemRandomNumberGenerator()
    manager = try TreeManager(
      id: TreeID(using: &random),
      isPrivate: false,
      new: NewTree.decode(body: Array(body.utf8)),
      at: Revision(0),
      limits: limits,
      usage: Usage()
    )
  }

  /// Creates a session from the body of its request.
  mutating func open(_ body: String = "{}") throws(ServiceError) -> OpenSession {
    var random = SystemRandomNumberGenerator()
    return try manager.open(SessionID(using: &random), NewSession.decode(body: Array(body.utf8)))
  }

  /// Applies operations in one batch.
  ///
  /// - Returns: The number of steps that the batch took.
  @discardableResult
  mutating func apply(
    _ operations: [String],
    by session: OpenSession? = nil,
    _ control: (any WorkControl)? = nil,
    format: ChangeFormat = .rows
  ) throws(ServiceError) -> Int {
    var options = BatchOptions()
    options.format = format
    let list = operations.joined(separator: ",")
    let batch = try Batch.decode(body: Array(#"{"operations":[\#(list)]}"#.utf8))
    manager.meter.begin(control)
    if let session {
      _ = try manager.apply(batch, by: session, options, at: 0)
    } else {
      _ = try manager.apply(batch, BatchOptions(), at: 0)
    }
    return manager.meter.steps
  }

  /// Returns the keys of the children of a node, or of the roots.
  func keys(of parent: String? = nil) throws(ServiceError) -> [String] {
    var keys: [String] = []
    let node = try parent.map { key throws(ServiceError) in
      try manager.content.find(Array(key.utf8)[...])
    }
    manager.content.tree.forEachChild(of: node ?? manager.content.sections.first) { child in
      keys.append(String(decoding: manager.content.tree.key(of: child), as: UTF8.self))
      return true
    }
    return keys
  }
}
