/// The errors of a batch, by the contract's names.
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

  /// The status the contract gives the code.
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

/// Why a batch was refused, and at which of its operations.
package struct ModelError: Error, Equatable, Sendable {
  /// The contract's code.
  package let code: ModelErrorCode
  /// The index of the operation in its batch.
  package let operation: Int

  /// The error of an operation.
  package init(code: ModelErrorCode, operation: Int) {
    self.code = code
    self.operation = operation
  }
}

/// Why one operation was refused.
struct ModelRefusal: Error {
  let code: ModelErrorCode
}
