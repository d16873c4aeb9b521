import HTTP
import TreeDomain

// The choice of the instance that answers.
extension ClusterHandler {
  /// The decision about which instance answers a request.
  enum Course {
    /// The API of this instance answers.
    case here
    /// All instances list their trees.
    case list
    /// Another instance answers.
    case at(String)
    /// The request is refused.
    case refused(Problem)
  }

  /// Decides which instance answers a request.
  ///
  /// - Precondition: The content of a creation is complete.
  func course(of request: Request, _ subject: ClusterSubject) -> Course {
    guard request.has(.hop) else {
      if case .list = subject {
        guard placement.isComplete else { return .refused(.unlistedTrees) }
        return placement.others.isEmpty ? .here : .list
      }
      switch place(of: subject, request) {
      case .here: return .here
      case .at(let address): return .at(address)
      case .nowhere(let seconds): return .refused(.nowhere(retryAfter: seconds))
      }
    }
    guard isForwarded(request.fields) else { return .refused(.foreignHop) }
    if case .list = subject { return .here }
    switch place(of: subject, request) {
    case .here: return .here
    case .at: return .refused(.movedTree)
    case .nowhere(let seconds): return .refused(.nowhere(retryAfter: seconds))
    }
  }

  /// Returns true if a request has `Tree-Hop`, but its value is not the secret of the cluster.
  func hasForeignHop(_ request: Request) -> Bool {
    request.has(.hop) && !isForwarded(request.fields)
  }

  /// Returns the place of a subject.
  func place(of subject: ClusterSubject, _ request: Request) -> Place {
    switch subject {
    case .tree(let id): return placement.place(ofTree: Array(id))
    case .session(let id): return placement.place(ofSession: Array(id))
    case .creation: return placement.others.isEmpty ? .here : placeOfCreation(request)
    case .list, .none: return .here
    }
  }

  private func placeOfCreation(_ request: Request) -> Place {
    switch NamedTree(in: request.body, maxDepth: api.context.limits.maxBodyDepth) {
    case .id(let id): placement.place(ofTree: id)
    case .none: placement.place(ofNewSession: request.fields.combinedValue(.idempotencyKey))
    case .unreadable: .here
    }
  }
}
