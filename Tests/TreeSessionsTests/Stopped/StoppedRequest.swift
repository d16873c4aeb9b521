import TreeDomain

/// A request that is stopped, and done again.
enum StoppedRequest {
  case batch(Batch, by: Int)
  case treeBatch(Batch)
  case patch(SessionPatch, of: Int)
  case importNodes(Import)
  case open(NewSession)
  /// A read of a session that sleeps.
  case wake(Int)

  /// The session that is put to sleep before; `nil` for none.
  var sleeper: Int? { if case .wake(let session) = self { session } else { nil } }

  /// The kind of the request.
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
