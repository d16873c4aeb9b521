/// The requests of clients to one shared tree, and their answers.
///
/// Times are monotonic numbers of one clock, in any unit. A request that was sent several times has
/// the time of the first attempt.
package struct TreeHistory: Sendable {
  /// The name of the history in messages.
  package var name: String
  /// The initial sections, sort and nodes of the tree.
  package var options: ModelSessionOptions
  /// The first revision of the tree.
  package var firstRevision: Int
  /// The sessions of the tree. Requests refer to them by index.
  package var sessions: [Session] = []
  /// The batches of writers.
  package var writes: [Write] = []
  /// The answers of readers.
  package var reads: [Read] = []

  /// Creates a history without requests.
  package init(name: String, options: ModelSessionOptions, firstRevision: Int = 0) {
    self.name = name
    self.options = options
    self.firstRevision = firstRevision
  }

  /// A session and its first state.
  package struct Session: Sendable {
    /// The options of the session.
    package var options: ModelSessionOptions
    /// The first revision.
    package var revision: Int
    /// The revision of the tree at the creation.
    package var treeRevision: Int

    /// Creates a session.
    package init(options: ModelSessionOptions, revision: Int, treeRevision: Int) {
      self.options = options
      self.revision = revision
      self.treeRevision = treeRevision
    }
  }

  /// The outcome of a write.
  package enum Outcome: Sendable {
    /// The change list of the answer, without entries for a batch of the tree.
    case acknowledged(ChangeList, at: Int)
    /// The code of the refusal and the index of the operation.
    case refused(ModelError, at: Int)
    /// No answer arrived. The write was applied once or never.
    case unknown
  }

  /// A batch.
  ///
  /// A batch that changes data inserts a node with a unique key, so that it certainly changes the
  /// tree. Other batches have one operation.
  package struct Write: Sendable {
    /// The session; nil for a batch of the tree.
    package var session: Int?
    /// The operations.
    package var operations: [ModelOperation]
    /// The time of the first attempt.
    package var sent: Int
    /// The outcome.
    package var outcome: Outcome

    /// Creates a batch without an answer.
    package init(session: Int?, operations: [ModelOperation], sent: Int) {
      self.session = session
      self.operations = operations
      self.sent = sent
      outcome = .unknown
    }

    /// True if the batch changes the tree and not only a view.
    package var changesTree: Bool { operations.contains { !$0.isViewOperation } }

    /// The change list; nil unless the batch was acknowledged.
    package var list: ChangeList? {
      if case .acknowledged(let list, _) = outcome { list } else { nil }
    }
  }

  /// The content of an answer.
  package enum Content: Sendable {
    /// A page of a session's rows.
    case page(Page)
    /// The net changes of a session since a revision.
    case changes(session: Int, ChangeList)
    /// The description of the tree.
    case tree(revision: Int, nodeCount: Int)
    /// The lines of an export.
    case export(revision: Int, lines: [RawJSON])
  }

  /// A page of rows.
  package struct Page: Sendable {
    package var session: Int
    package var revision: Int
    package var rowCount: Int
    /// The index of the first row.
    package var offset: Int
    package var rows: [RawJSON]

    /// Creates a page of a session at a revision.
    package init(session: Int, revision: Int, rowCount: Int, offset: Int, rows: [RawJSON]) {
      self.session = session
      self.revision = revision
      self.rowCount = rowCount
      self.offset = offset
      self.rows = rows
    }
  }

  /// An answered read.
  package struct Read: Sendable {
    /// The time of the first attempt.
    package var sent: Int
    /// The time of the answer.
    package var answered: Int
    /// The content of the answer.
    package var content: Content

    /// Creates a read.
    package init(sent: Int, answered: Int, content: Content) {
      self.sent = sent
      self.answered = answered
      self.content = content
    }
  }

  /// A session at one of its revisions.
  struct State: Hashable {
    var session: Int
    var revision: Int
  }
}
