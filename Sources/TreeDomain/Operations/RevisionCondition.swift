/// The revisions at which a request may be carried out (`If-Match`, RFC 9110 section 13.1.1).
public enum RevisionCondition: Equatable, Sendable {
  /// Whichever there is.
  case any
  /// One of these.
  case oneOf([Revision])

  /// Whether a revision meets the condition.
  public func holds(at revision: Revision) -> Bool {
    switch self {
    case .any: true
    case .oneOf(let revisions): revisions.contains(revision)
    }
  }
}
