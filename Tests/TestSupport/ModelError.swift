/// The error codes of the contract for a batch.
package enum ModelErrorCode: String, CaseIterable, Sendable {
  case invalidRequest = "invalid-request"
  case unknownOperation = "unknown-operation"
  case nodeNotFound = "node-not-found"
  case sectionNotFound = "section-not-found"
  case parentNotFound = "parent-not-found"
  case duplicateKey = "duplicate-key"
  case hiddenByFilter = "hidden-by-filter"
  case cycle
  case anchorNotASibling = "anchor-not-a-sibling"
  case indexOutOfRange = "index-out-of-range"
  case depthLimit = "depth-limit"
  case selectionMode = "selection-mode"
  case forbidden

  /// The HTTP status of the code in the contract.
  package var status: Int {
    switch self {
    case .invalidRequest, .unknownOperation: 400
    case .forbidden: 403
    case .nodeNotFound, .sectionNotFound: 404
    case .duplicateKey, .hiddenByFilter: 409
    case .parentNotFound, .cycle, .anchorNotASibling, .indexOutOfRange, .depthLimit,
      .selectionMode:
      422
    }
  }
}

/// The refusal of a batch at one of its operations.
package struct ModelError: Error, Equatable, Sendable {
  /// The error code of the contract.
  package let code: ModelErrorCode
  /// The index of the operation in its batch.
  package let operation: Int

  /// The error of an operation.
  package init(code: ModelErrorCode, operation: Int) {
    self.code = code
    self.operation = operation
  }
}

/// The refusal of an operation.
struct ModelRefusal: Error {
  let code: ModelErrorCode
}
