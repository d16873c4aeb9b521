import HTTP
import JSON
import TreeDomain

extension ServiceError {
  /// The response that reports the error: `application/problem+json` (RFC 9457).
  var response: Response {
    var writer = JSONWriter()
    writer.beginObject()
    writer.name("type")
    writer.string("/problems/" + code.rawValue)
    writer.name("title")
    writer.string(code.title)
    writer.name("status")
    writer.integer(code.status.code)
    writeMembers(to: &writer)
    writer.endObject()
    var fields = Fields()
    if code.status == .serviceUnavailable { fields.append(.retryAfter, "1") }
    fields.record(isReplayed: wasReplayed)
    fields.append(.contentType, "application/problem+json")
    return Response(code.status, fields: fields, body: writer.finish())
  }
}

extension ServiceErrorCode {
  /// The status of an error with this code; defined only here.
  var status: Status {
    switch self {
    case .malformedJSON, .invalidRequest, .unknownOperation: .badRequest
    case .sessionNotFound, .treeNotFound, .nodeNotFound, .nodeNotVisible, .sectionNotFound:
      .notFound
    case .duplicateKey, .treeExists, .revisionChanged, .hiddenByFilter, .superseded:
      .conflict
    case .historyExpired, .sessionExpired: .gone
    case .revisionMismatch: .preconditionFailed
    case .contentTooLarge: .contentTooLarge
    case .rangeNotSatisfiable: .rangeNotSatisfiable
    case .cycle, .parentNotFound, .anchorNotASibling, .indexOutOfRange, .depthLimit,
      .selectionMode, .idempotencyKeyReused:
      .unprocessableContent
    case .storageFull: .insufficientStorage
    case .internalError, .storageDamaged: .internalServerError
    case .overloaded, .shuttingDown, .storageFailed: .serviceUnavailable
    }
  }

  /// The error in a few words, derived from the code.
  var title: String {
    guard self != .malformedJSON else { return "Malformed JSON" }
    let words = rawValue.split(separator: "-").joined(separator: " ")
    return words.prefix(1).uppercased() + words.dropFirst()
  }
}
