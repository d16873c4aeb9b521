/// The requests of clients about one shared tree, and what they were answered.
///
/// Times are monotonic numbers of one clock, of any unit. A request that was sent several times
/// has the time of the first attempt.
package struct TreeHistory: Sendable {
  /// Tells the history from others in messages.
  package var name: String
  /// The sections, the sort and the nodes that the tree was made with.
  package var options: ModelSessionOptions
  /// The revision at which the tree began.
  package var firstRevision: Int
  /// The sessions over the tree; others refer to them by their place here.
  package var sessions: [Session] = []
  /// The batches of writers.
  package var writes: [Write] = []
  /// The answers of readers.
  package var reads: [Read] = []

  /// A history without requests.
  package init(name: String, options: ModelSessionOptions, firstRevision: Int = 0) {
    self.name = name
    self.options = options
    self.firstRevision = firstRevision
  }

  /// A session, and the state in which it was made.
  package struct Session: Sendable {
    /// The options that it was made with.
    package var options: ModelSessionOptions
    /// Its first revision.
    package var revision: Int
    /// The revision of the tree at that moment.
    package var treeRevision: Int

    /// A session of a first revision.
    package init(options: ModelSessionOptions, revision: Int, treeRevision: Int) {
      self.options = options
      self.revision = revision
      self.treeRevision = treeRevision
    }
  }

  /// The end of a write.
  package enum Outcome: Sendable {
    /// The change list of its answer; without entries for a batch of the tree itself.
    case acknowledged(ChangeList, at: Int)
    /// The code of the refusal and the index of the operation.
    case refused(ModelError, at: Int)
    /// No answer has come: it was applied once, or never.
    case unknown
  }

  /// A batch.
  ///
  /// One that contains an operation on data inserts a node with a key of its own, so that it
  /// changes the tree for sure. Any other has one operation.
  package struct Write: Sendable {
    /// The session; nil for a batch of the tree itself.
    package var session: Int?
    /// The operations.
    package var operations: [ModelOperation]
    /// The time at which it was first sent.
    package var sent: Int
    /// The end.
    package var outcome: Outcome

    /// A batch without an answer.
    package init(session: Int?, operations: [ModelOperation], sent: Int) {
      self.session = session
      self.operations = operations
      self.sent = sent
      outcome = .unknown
    }

    /// True if it changes the tree, not only a view.
    package var changesTree: Bool { operations.contains { !$0.isViewOperation } }

    /// The change list, if it was acknowledged.
    package var list: ChangeList? {
      if case .acknowledged(let list, _) = outcome { list } else { nil }
    }
  }

  /// The content of an answer.
  package enum Content: Sendable {
    /// A page of the rows of a session.
    case page(Page)
    /// The net changes of a session since a revision.
    case changes(session: Int, ChangeList)
    /// The description of the tree.
    case tree(revision: Int, nodeCount: Int)
  }

  /// A page of rows.
  package struct Page: Sendable {
    package var session: Int
    package var revision: Int
    package var rowCount: Int
    /// The index of the first row.
    package var offset: Int
    package var rows: [RawJSON]

    /// A page of a session at a revision.
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
    /// The time at which it was first sent.
    package var sent: Int
    /// The time at which its answer came.
    package var answered: Int
    /// The content of the answer.
    package var content: Content

    /// A read.
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
