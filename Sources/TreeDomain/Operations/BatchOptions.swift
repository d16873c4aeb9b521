/// The options of a batch and its answer.
package struct BatchOptions: Equatable, Sendable {
  /// The format of the change list.
  ///
  /// Too many entries for ``ChangeFormat/rows`` are merged into ranges.
  package var format: ChangeFormat
  /// True if the change list is divided by sections.
  package var isSectioned = false
  /// The largest number of rows to include with insertions and updates.
  ///
  /// 0 for none.
  package var includedRows: Int
  /// The members of included rows.
  package var fields: RowFields
  /// True if the batch is only tried and not applied.
  package var isDryRun = false
  /// The required revision.
  ///
  /// Any other revision is a `revision-mismatch`.
  package var condition: RevisionCondition?
  /// The idempotency key, by which a repeated request is recognised.
  package var idempotency: IdempotencyKey?

  /// True if the answer is wanted as text.
  ///
  /// Its lists may then be empty.
  package var isWritten = false

  /// Makes options.
  ///
  /// The default is an entry per row, without included rows and conditions.
  package init(format: ChangeFormat = .rows, includedRows: Int = 0, fields: RowFields = .all) {
    self.format = format
    self.includedRows = includedRows
    self.fields = fields
  }
}

/// An identifier of a request, so that a repeated request is applied only once.
package struct IdempotencyKey: Hashable, Sendable {
  /// The client's token: 1 to 255 visible ASCII bytes, optionally after a caller's name and a
  /// space.
  package var token: [UInt8]
  /// A hash of the rest of the request.
  ///
  /// Another hash with the same token is refused.
  package var fingerprint: UInt64

  /// Makes a key.
  package init(token: [UInt8], fingerprint: UInt64) {
    self.token = token
    self.fingerprint = fingerprint
  }
}

/// The condition on the revision for a change (RFC 9110, section 13.1).
package struct RevisionCondition: Equatable, Sendable {
  /// The revisions in a header field.
  package enum Revisions: Equatable, Sendable {
    /// Any revision: `*`.
    case any
    /// Any of these revisions.
    case oneOf([Revision])

    /// Returns true if a revision is included.
    package func contains(_ revision: Revision) -> Bool {
      switch self {
      case .any: true
      case .oneOf(let revisions): revisions.contains(revision)
      }
    }
  }

  /// The revisions at which the change is allowed (`If-Match`); nil for all that are not excluded.
  package var required: Revisions?
  /// The revisions at which the change is not allowed (`If-None-Match`); nil for none.
  package var excluded: Revisions?
  /// True if the node must exist, false if it must not exist, nil for no condition.
  package private(set) var isNodeThere: Bool?

  /// Makes a condition.
  package init(required: Revisions? = nil, excluded: Revisions? = nil) {
    self.required = required
    self.excluded = excluded
  }

  /// Applies `*` to the node in the path instead of the session, because a put creates that node.
  package mutating func askForNode() {
    if case .any? = required { (required, isNodeThere) = (nil, true) }
    // If both are `*`, the condition cannot be met.
    if case .any? = excluded, isNodeThere == nil { (excluded, isNodeThere) = (nil, false) }
  }

  /// Returns true if a revision meets the condition.
  package func holds(at revision: Revision) -> Bool {
    required?.contains(revision) != false && excluded?.contains(revision) != true
  }
}
