import HTTP
import TreeDomain

/// The form in which a request contains its batch.
enum BatchForm: Sendable {
  /// A body with a list of operations.
  case operations
  /// A single operation in the path, with its arguments in the body.
  case single(SingleOperation)
}

/// The target of a batch.
enum BatchTarget: Sendable {
  case session(SessionID)
  case tree(TreeID)
}

extension Call {
  /// Decodes the batch of a request and returns the work that applies it.
  ///
  /// The batch is decoded last, so that other errors are reported first.
  func applying(
    _ form: BatchForm,
    to target: BatchTarget,
    _ options: BatchOptions
  ) throws(ServiceError) -> ServiceWork {
    let batch = try batch(form)
    let memory = try context.hold(batch)
    var options = options
    options.isWritten = true
    return { [self, options] service throws(ServiceError) in
      defer { withExtendedLifetime(memory) {} }
      switch target {
      case .session(let id):
        if let refusal = try refusal(of: batch, service) { return .response(refusal.response) }
        let answer = try service.apply(batch, to: id, options)
        return HeldAnswer.reply(response(answer), answer.durability)
      case .tree(let id):
        let answer = try service.apply(batch, to: id, options)
        return HeldAnswer.reply(Response(answer), answer.durability)
      }
    }
  }

  /// Returns the refusal of a caller who may not change data here, or nil.
  ///
  /// It is called when the body shows that the request changes data.
  func refusalOfChange(_ service: any TreeService) throws(ServiceError) -> Problem? {
    try context.access.refusal(of: request, path, needing: .change, service)
  }

  /// Returns a refusal if a batch changes data and the caller may not.
  private func refusal(
    of batch: Batch,
    _ service: any TreeService
  ) throws(ServiceError) -> Problem? {
    guard let place = batch.operations.firstIndex(where: \.changesData),
      var problem = try refusalOfChange(service)
    else { return nil }
    if batch.source?.single == nil { problem.members.append(("operation", .integer(place))) }
    return problem
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

  private func response(_ answer: BatchAnswer) -> Response {
    var fields = fields(ofListed: answer.format)
    if answer.hasCreatedNode {
      fields.append(
        .location,
        "/v1/sessions/".utf8 + answer.session.bytes + "/nodes/".utf8 + percentEncoded(key)
      )
    }
    fields.record(isReplayed: answer.wasReplayed)
    let status = answer.hasCreatedNode ? Status.created : .ok
    guard let text = answer.text else { return .json(status, fields) { answer.write(to: &$0) } }
    return .json(status, fields, written: text)
  }
}

/// The memory of a decoded batch, which is counted as long as this object exists.
final class BatchMemory: Sendable {
  private let bytes: Int
  private let room: SharedRoom

  fileprivate init(_ bytes: Int, in room: SharedRoom) {
    self.bytes = bytes
    self.room = room
  }

  deinit { room.giveBack(bytes) }
}

extension APIContext {
  /// The memory of a decoded batch in bytes up to which it is not counted.
  ///
  /// The number of requests bounds the sum of such batches.
  private static let uncountedBytes = 65_536

  /// Counts the memory of a decoded batch while it waits for its tree and is applied.
  ///
  /// - Returns: The count; nil if the batch is small.
  /// - Throws: `overloaded` if there is no room.
  fileprivate func hold(_ batch: Batch) throws(ServiceError) -> BatchMemory? {
    let bytes = batch.heldBytes
    guard bytes > Self.uncountedBytes else { return nil }
    guard batches.reserve(bytes) else {
      throw ServiceError(
        .overloaded,
        "The service holds as much as it may (`maxMemoryBytes`); send a smaller batch, delete "
          + "something, or try again soon."
      )
    }
    return BatchMemory(bytes, in: batches)
  }
}
