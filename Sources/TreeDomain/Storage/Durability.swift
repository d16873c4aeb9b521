/// The state of the commit that an answer waits for.
///
/// An answer must not be sent before its change is on disk.
///
/// It is not part of the answer's content, so any two values are equal.
package struct Durability: Equatable, Sendable {
  /// The receipt of the commit; `nil` if there is nothing to wait for.
  package var receipt: (any Receipt)?

  /// Makes a value from a receipt.
  package init(_ receipt: (any Receipt)? = nil) { self.receipt = receipt }

  /// True if the outcome is known.
  package var isResolved: Bool { receipt?.isResolved ?? true }

  /// The reason why the change is lost; `nil` if it is stored or the outcome is not known.
  package var loss: ServiceError? {
    guard case .lost(let error)? = receipt?.outcome else { return nil }
    return error
  }

  /// Calls a closure once the change is on disk, or at once if there is nothing to wait for.
  package func whenKept(_ body: @escaping @Sendable () -> Void) {
    guard let receipt else { return body() }
    receipt.whenResolved { if receipt.outcome == .kept { body() } }
  }

  /// Calls a closure if the change is lost.
  package func whenLost(_ body: @escaping @Sendable () -> Void) {
    guard let receipt else { return }
    receipt.whenResolved { if receipt.outcome != .kept { body() } }
  }

  /// Returns true, so that answers with the same content are equal.
  package static func == (left: Durability, right: Durability) -> Bool { true }
}

/// A receipt for a change that is being stored.
package protocol Receipt: AnyObject, Sendable {
  /// True if the outcome is known.
  var isResolved: Bool { get }

  /// The outcome; `nil` if it is not known.
  var outcome: ReceiptOutcome? { get }

  /// Calls a closure when the outcome is known, at once or on the thread that sets it.
  ///
  /// The closure must not block.
  func whenResolved(_ body: @escaping @Sendable () -> Void)
}

/// The outcome of a commit.
package enum ReceiptOutcome: Equatable, Sendable {
  /// The change is on disk.
  case kept
  /// The change could not be stored and has not happened.
  indirect case lost(ServiceError)
}
