import TreeDomain

/// The result of a creation request, or of a deletion.
enum Creation: Equatable, Sendable {
  case end
  case session(SessionDescription)
  case tree(TreeDescription)
}
