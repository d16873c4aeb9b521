/// One thing that happened to a tree or one of its sessions, as the tree's journal keeps it.
///
/// A tree is a fold over its journal: what was asked for, taken again in the same order, gives the
/// same tree, sessions, revisions and answers. Only what changed something is kept, and what was
/// answered to a request with an idempotency key.
public struct JournalEntry: Equatable, Sendable {
  /// What happened; behind a reference, so that an entry is handed on without copies of what it
  /// holds.
  public indirect enum Event: Equatable, Sendable {
    /// A shared tree was made.
    case makeTree(NewTree)
    /// A session was made; with it its tree, where that is its own.
    case openSession(NewSession)
    /// A session ended.
    case closeSession
    /// A batch was applied, for a session or for none.
    case batch(Batch)
    /// Options of a session were changed.
    case patch(SessionPatch)
    /// Nodes were brought in.
    case importNodes(Import)

    /// Whether all it does is to take something away.
    ///
    /// - Complexity: O(operations), up to the first that does something else.
    public var onlyRemoves: Bool {
      switch self {
      case .closeSession: true
      case .batch(let batch): batch.operations.allSatisfy(\.removes)
      case .makeTree, .openSession, .patch, .importNodes: false
      }
    }
  }

  /// What happened.
  public var event: Event
  /// The session it was asked of; `nil` where it was the tree.
  public var session: SessionID?
  /// When, in seconds since 1970.
  public var time: Int
  /// How it was to be answered, where that is kept for a retry.
  public var options: BatchOptions

  /// Makes an entry.
  public init(
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
