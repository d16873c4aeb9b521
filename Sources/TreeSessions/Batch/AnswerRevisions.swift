import TreeDomain

/// The revisions in an answer, and the author of the changes between them.
struct AnswerRevisions {
  var previous: Revision
  var now: Revision
  var tree: Revision
  /// The author of the changes; `nil` if the answer does not name one.
  var origin: ChangeOrigin?
}
