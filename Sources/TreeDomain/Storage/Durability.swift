/// Whether what an answer tells is on disk: before that, it must not be given.
///
/// It is no part of what the answer says, so that any two are equal.
public struct Durability: Equatable, Sendable {
  /// Becomes known later; `nil` where there is nothing to wait for.
  public var receipt: (any Receipt)?

  /// Makes one of a receipt.
  public init(_ receipt: (any Receipt)? = nil) { self.receipt = receipt }

  /// Whether it is settled, one way or the other.
  public var isSettled: Bool { receipt?.isSettled ?? true }

  /// Why it will never be on disk; `nil` where it is, or where that is not known yet.
  public var loss: ServiceError? {
    guard case .lost(let error)? = receipt?.outcome else { return nil }
    return error
  }

  /// Has something done once it is on disk: now, where there is nothing to wait for.
  public func whenKept(_ body: @escaping @Sendable () -> Void) {
    guard let receipt else { return body() }
    receipt.whenSettled { if receipt.outcome == .kept { body() } }
  }

  /// Has something done if it will never be on disk.
  public func whenLost(_ body: @escaping @Sendable () -> Void) {
    guard let receipt else { return }
    receipt.whenSettled { if receipt.outcome != .kept { body() } }
  }

  /// Always.
  public static func == (left: Durability, right: Durability) -> Bool { true }
}

/// Tells when something is on disk, or that it never will be.
public protocol Receipt: AnyObject, Sendable {
  /// Whether it is known what became of it.
  var isSettled: Bool { get }

  /// What became of it; `nil` while that is not known.
  var outcome: ReceiptOutcome? { get }

  /// Has something done when the outcome is known: now if it is, else on the thread that settles
  /// it, which must not be kept waiting.
  func whenSettled(_ body: @escaping @Sendable () -> Void)
}

/// What became of something that was to be kept.
public enum ReceiptOutcome: Equatable, Sendable {
  /// It is on disk.
  case kept
  /// It could not be kept, and has not happened.
  indirect case lost(ServiceError)
}
