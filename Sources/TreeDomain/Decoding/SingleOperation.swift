/// The operations that have a request of their own, whose key is in its path.
public enum SingleOperation: String, CaseIterable, Sendable {
  /// `PUT nodes/{key}`: insert, or replace what is there.
  case put
  /// `PATCH nodes/{key}`: the body is a merge patch.
  case patch
  /// `DELETE nodes/{key}`: there is no body.
  case remove
  /// `PUT nodes/{key}/children`: the body is the children.
  case setChildren
  /// `PUT forest`, which has no key: the body is the roots.
  case setRoots
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
  /// `POST nodes/{key}/select`.
  case select
  /// `POST nodes/{key}/deselect`.
  case deselect
  /// `POST expandAll`, which has no key.
  case expandAll
  /// `POST collapseAll`, which has no key.
  case collapseAll
  /// `POST clearSelection`, which has no key.
  case clearSelection

  /// Whether the path names a node.
  public var hasKey: Bool {
    switch self {
    case .setRoots, .expandAll, .collapseAll, .clearSelection: false
    default: true
    }
  }

  /// The operation whose members the body has; `nil` where the body is something of its own.
  var name: OperationName? {
    switch self {
    case .put: .put
    case .remove: .remove
    case .move: .move
    case .expand: .expand
    case .collapse: .collapse
    case .toggle: .toggle
    case .reveal: .reveal
    case .expandAll: .expandAll
    case .collapseAll: .collapseAll
    case .clearSelection: .clearSelection
    case .patch, .setChildren, .setRoots, .select, .deselect: nil
    }
  }
}
