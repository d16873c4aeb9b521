import JSON

extension BodyCursor {
  /// Returns an `invalid-request` error at the current position.
  func invalid(_ detail: String) -> ServiceError {
    refusal(.invalidRequest, detail)
  }

  /// Returns a `content-too-large` error at the current position.
  func tooLarge(_ detail: String, limit: Int) -> ServiceError {
    var error = refusal(.contentTooLarge, detail)
    error.limit = limit
    return error
  }

  /// Returns an `invalid-request` error about a member of the object that was just left.
  func invalid(_ detail: String, member: String) -> ServiceError {
    var error = invalid(detail)
    error.pointer = (error.pointer ?? "") + "/" + member
    return error
  }

  /// Returns an `invalid-request` error about a member of the current operation, or of the body if
  /// the operation is in the path.
  func invalid(_ detail: String, memberOfOperation member: String) -> ServiceError {
    var error = invalid(detail)
    error.pointer = (operation.map { "/operations/\($0)" } ?? "") + "/" + member
    return error
  }

  /// Returns an `unknown-operation` error about the current operation.
  func unknownOperation(_ name: [UInt8]) -> ServiceError {
    var error = ServiceError(
      .unknownOperation,
      NameAdvice.unknown("operation", name, among: OperationName.offered)
    )
    error.operation = operation
    error.pointer = operation.map { "/operations/\($0)/op" }
    return error
  }

  /// Returns an error at the current position.
  func refusal(_ code: ServiceErrorCode, _ detail: String) -> ServiceError {
    var error = ServiceError(code, detail)
    error.operation = operation
    error.pointer = pointer
    return error
  }

  func failure(_ fault: JSONError) -> ServiceError {
    fault.isSyntaxFault ? ServiceError(fault) : invalid("This value is of the wrong type.")
  }

  private var pointer: String {
    var written: [UInt8] = []
    for step in path {
      switch step {
      case .member(let name): JSONPointer.append(name.decoded(from: reader.bytes), to: &written)
      case .element(let index) where index >= 0: JSONPointer.append("\(index)".utf8, to: &written)
      case .element: break
      }
    }
    return String(decoding: written, as: UTF8.self)
  }
}
