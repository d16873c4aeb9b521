/// The options of a read of single nodes.
package struct ReadOptions: Equatable, Sendable {
  /// The members of the rows.
  package var fields: RowFields
  /// The client's revision.
  ///
  /// Any other revision is refused; `nil` for no check.
  package var expectedRevision: Revision?

  /// Makes options.
  ///
  /// The default is all members at any revision.
  package init(fields: RowFields = .all, expectedRevision: Revision? = nil) {
    self.fields = fields
    self.expectedRevision = expectedRevision
  }
}

/// A request for the ancestors of a row.
package struct AncestorQuery: Equatable, Sendable {
  /// The largest number of ancestors, counted from the parent up.
  package var limit: Int
  /// The members of the ancestors; `nil` for key, index and depth.
  package var fields: RowFields?

  /// Makes a query.
  ///
  /// The default is all ancestors with key, index and depth.
  package init(limit: Int = .max, fields: RowFields? = nil) {
    self.limit = limit
    self.fields = fields
  }
}

/// A query for the changes of a session.
package struct ChangesQuery: Equatable, Sendable {
  /// The client's revision.
  ///
  /// All later changes are returned as one net list.
  package var since: Revision
  /// The format of the list.
  ///
  /// The other options are ignored.
  package var options: BatchOptions

  /// Makes a query.
  package init(since: Revision, options: BatchOptions = BatchOptions()) {
    self.since = since
    self.options = options
  }
}

/// A query for a range of a node's children, expanded or not, or of the roots.
package struct ChildrenQuery: Equatable, Sendable {
  /// The parent's key; `nil` for the roots.
  package var parent: [UInt8]?
  /// The section whose roots are read; `nil` for all roots.
  ///
  /// It has no effect on the children of a node.
  package var section: [UInt8]?
  /// The positions, from 0 on.
  ///
  /// The range is cut off at the last child.
  package var range: Range<Int>
  /// The options of the read.
  package var options: ReadOptions

  /// Makes a query.
  package init(
    of parent: [UInt8]?,
    section: [UInt8]? = nil,
    _ range: Range<Int>,
    _ options: ReadOptions = ReadOptions()
  ) {
    self.parent = parent
    self.section = section
    self.range = range
    self.options = options
  }
}

/// A query for nodes by a list of keys.
package struct NodesQuery: Equatable, Sendable {
  /// The largest number of keys in a query.
  package static let maxKeys = 1_000

  /// The keys, in the order of the answer.
  ///
  /// A key may repeat.
  package var keys: [[UInt8]]
  /// The options of the read.
  package var options: ReadOptions

  /// Makes a query.
  package init(_ keys: [[UInt8]], _ options: ReadOptions = ReadOptions()) {
    self.keys = keys
    self.options = options
  }
}

/// A query for nodes of a session.
package struct SearchQuery: Equatable, Sendable {
  /// The search for a text.
  package var search: Search
  /// The key of the node after which the search continues; `nil` for the start.
  ///
  /// The search is in pre-order, with siblings in the session's order.
  package var after: [UInt8]?
  /// The largest number of nodes to find, at least 1.
  package var limit: Int
  /// The members of the rows.
  package var fields: RowFields
  /// True if all matches are counted, which visits every node.
  package var isCounting: Bool

  /// Makes a query.
  package init(
    _ search: Search,
    after: [UInt8]? = nil,
    limit: Int,
    fields: RowFields = .all,
    isCounting: Bool = false
  ) {
    self.search = search
    self.after = after
    self.limit = limit
    self.fields = fields
    self.isCounting = isCounting
  }
}
