/// The revisions at which a change may be made (RFC 9110 section 13.1).
public struct RevisionCondition: Equatable, Sendable {
  /// What a header field names.
  public enum Revisions: Equatable, Sendable {
    /// Whichever there is.
    case any
    /// One of these.
    case oneOf([Revision])

    /// Whether a revision is among them.
    public func contains(_ revision: Revision) -> Bool {
      switch self {
      case .any: true
      case .oneOf(let revisions): revisions.contains(revision)
      }
    }
  }

  /// Those at which it may be made (`If-Match`); nil: at all but the excluded ones.
  public var required: Revisions?
  /// Those at which it may not be made (`If-None-Match`); nil: none.
  public var excluded: Revisions?
  /// Whether the node that is put must be there, or must not be; nil: either.
  public private(set) var isNodeThere: Bool?

  /// A condition of one part, or of both.
  public init(required: Revisions? = nil, excluded: Revisions? = nil) {
    self.required = required
    self.excluded = excluded
  }

  /// Has a star ask for the node that the path names, as that is what is to be put, and not for
  /// the session.
  public mutating func askForNode() {
    if case .any? = required { (required, isNodeThere) = (nil, true) }
    // Of both, none can be met.
    if case .any? = excluded, isNodeThere == nil { (excluded, isNodeThere) = (nil, false) }
  }

  /// Whether a revision meets the condition.
  public func holds(at revision: Revision) -> Bool {
    required?.contains(revision) != false && excluded?.contains(revision) != true
  }
}
