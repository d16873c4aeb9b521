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
