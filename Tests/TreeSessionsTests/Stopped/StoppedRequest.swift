import TreeDomain

/// A request that is stopped and then repeated.
enum StoppedRequest {
  case batch(Batch, by: Int)
  case treeBatch(Batch)
  case patch(SessionPatch, of: Int)
  case importNodes(Import)
  case open(NewSession)
  /// A read of a session that is asleep.
  case wake(Int)

  /// The session to be put to sleep before the request; `nil` for none.
  var sleeper: Int? { if case .wake(let session) = self { session } else { nil } }

  /// A description of the request for failures.
  var name: String {
    switch self {
    case .batch(let batch, let session): "session \(session) \(batch.operations)"
    case .treeBatch(let batch): "tree \(batch.operations)"
    case .patch(_, let session): "patch \(session)"
    case .importNodes: "import"
    case .open: "open"
    case .wake(let session): "wake \(session)"
    }
  }
}
