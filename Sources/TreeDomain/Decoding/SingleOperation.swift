/// The operations with a request of their own.
///
/// The key, if any, is in the path.
package enum SingleOperation: String, CaseIterable, Sendable {
  /// `PUT nodes/{key}`: insert, or replace what is there.
  case put
  /// `PATCH nodes/{key}`: the body is a merge patch.
  case patch
  /// `DELETE nodes/{key}`: there is no body.
  case remove
  /// `PUT nodes/{key}/children`: the body is the children.
  case setChildren
  /// `PUT forest`: the body is the roots. It has no key.
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
  /// `POST expandAll`, without a key.
  case expandAll
  /// `POST collapseAll`, without a key.
  case collapseAll
  /// `POST clearSelection`, without a key.
  case clearSelection

  /// True if the path contains a key.
  package var hasKey: Bool {
    switch self {
    case .setRoots, .expandAll, .collapseAll, .clearSelection: false
    case .put, .patch, .remove, .setChildren, .move, .expand, .collapse, .toggle, .reveal, .select,
      .deselect:
      true
    }
  }

  /// The operation whose members the body has; `nil` if the body has another form.
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
