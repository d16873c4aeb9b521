import TreeDomain

/// The revisions that an answer names, and who made the changes between them.
struct AnswerRevisions {
  var previous: Revision
  var now: Revision
  var tree: Revision
  /// `nil` where the answer does not tell.
  var origin: ChangeOrigin?
}
