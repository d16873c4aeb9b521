/// An event of a tree or of one of its sessions, as stored in the tree's journal.
///
/// The state of a tree is a fold over its journal: the same requests in the same order give the
/// same tree, sessions, revisions and answers. The journal contains only requests that changed
/// something, and those with an idempotency key.
package struct JournalEntry: Equatable, Sendable {
  /// The kind of the event, with its request.
  ///
  /// It is indirect so that an entry is passed on without copies.
  package indirect enum Event: Equatable, Sendable {
    /// A shared tree was created.
    case makeTree(NewTree)
    /// A session was created, and its tree if that is private.
    case openSession(NewSession)
    /// A session was deleted.
    case closeSession
    /// A batch was applied, by a session or to the tree itself.
    case batch(Batch)
    /// The options of a session were changed.
    case patch(SessionPatch)
    /// Nodes were imported.
    case importNodes(Import)

    /// True if the event only removes data.
    ///
    /// - Complexity: O(operations), up to the first that does not remove.
    package var onlyRemoves: Bool {
      switch self {
      case .closeSession: true
      case .batch(let batch): batch.operations.allSatisfy(\.removes)
      case .makeTree, .openSession, .patch, .importNodes: false
      }
    }
  }

  /// The event.
  package var event: Event
  /// The session of the request; `nil` for a request to the tree.
  package var session: SessionID?
  /// The time, in seconds since 1970.
  package var time: Int
  /// The options of the answer, which are stored for a retry.
  package var options: BatchOptions

  /// Makes an entry.
  package init(
    _ event: Event,
    of session: SessionID? = nil,
    at time: Int,
    _ options: BatchOptions = BatchOptions()
  ) {
    self.event = event
    self.session = session
    self.time = time
    self.options = options
  }
}
