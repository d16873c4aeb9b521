import HTTP
import TreeDomain

/// What a request says its batch by.
enum BatchForm: Sendable {
  /// A body that lists operations.
  case operations
  /// The path, and a body with the rest, if there is any.
  case single(SingleOperation)
}

/// What a batch is applied to.
enum BatchTarget: Sendable {
  case session(SessionID)
  case tree(TreeID)
}

extension Call {
  /// Applies the batch of a request: here, or elsewhere if it may be much work.
  ///
  /// The batch is read last: whatever else is wrong is said first.
  func apply(
    _ form: BatchForm,
    to target: BatchTarget,
    _ options: BatchOptions
  ) throws(ServiceError) -> Reply {
    guard request.body.count <= context.options.heavyBodyBytes else {
      return answerElsewhere { () throws(ServiceError) in
        try self.response(to: try self.batch(form), target, options)
      }
    }
    let batch = try batch(form)
    guard batch.operations.contains(where: \.mayTouchEverything) else {
      return .response(try response(to: batch, target, options))
    }
    return answerElsewhere { () throws(ServiceError) in
      try self.response(to: batch, target, options)
    }
  }

  private func batch(_ form: BatchForm) throws(ServiceError) -> Batch {
    switch form {
    case .operations: return try Batch.decode(body: request.body, limits: limits)
    case .single(let operation):
      return try Batch.decode(
        operation,
        key: operation.hasKey ? key : nil,
        section: query.section,
        body: operation.bodyTypes.isEmpty ? [] : request.body,
        limits: limits
      )
    }
  }

  private func response(
    to batch: Batch,
    _ target: BatchTarget,
    _ options: BatchOptions
  ) throws(ServiceError) -> Response {
    switch target {
    case .session(let id): response(try service.apply(batch, to: id, options))
    case .tree(let id): Response(try service.apply(batch, to: id, options))
    }
  }

  private func response(_ answer: BatchAnswer) -> Response {
    var fields = Fields()
    if answer.hasCreatedNode {
      fields.append(
        .location,
        "/v1/sessions/".utf8 + answer.session.bytes + "/nodes/".utf8 + percentEncoded(key)
      )
    }
    fields.note(isReplayed: answer.wasReplayed)
    return .json(answer.hasCreatedNode ? .created : .ok, fields) { answer.write(to: &$0) }
  }
}

extension Operation {
  /// Whether it can be much work however little is said.
  var mayTouchEverything: Bool {
    switch self {
    case .sort, .setChildren, .removeSection: true
    case .select(.subtree), .deselect(.subtree): true
    default: false
    }
  }
}
