/// The operations that have a request of their own, whose key is in its path.
public enum SingleOperation: Sendable {
  /// `PUT nodes/{key}`: insert, or replace what is there.
  case put
  /// `PATCH nodes/{key}`: the body is a merge patch.
  case patch
  /// `DELETE nodes/{key}`: there is no body.
  case remove
  /// `POST nodes/{key}/move`.
  case move
  /// `POST nodes/{key}/expand`.
  case expand
  /// `POST nodes/{key}/collapse`.
  case collapse
  /// `POST nodes/{key}/toggle`.
  case toggle
  /// `POST nodes/{key}/reveal`.
  case reveal
  /// `POST expandAll`, which has no key.
  case expandAll
  /// `POST collapseAll`, which has no key.
  case collapseAll

  /// Whether the path names a node.
  public var hasKey: Bool { self != .expandAll && self != .collapseAll }

  /// The operation it is; a patch is an update whose body has no members of ours.
  var name: OperationName {
    switch self {
    case .put: .put
    case .patch: .update
    case .remove: .remove
    case .move: .move
    case .expand: .expand
    case .collapse: .collapse
    case .toggle: .toggle
    case .reveal: .reveal
    case .expandAll: .expandAll
    case .collapseAll: .collapseAll
    }
  }
}
