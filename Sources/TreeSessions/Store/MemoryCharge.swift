import Synchronization

/// The memory that is charged to a caller for one tree or session.
///
/// The charge ends when this object is destroyed.
final class MemoryCharge: Sendable {
  /// The name of the caller.
  let payer: String
  private let accounts: CallerAccounts
  private let bytes = Atomic(0)

  /// Makes a charge of no bytes.
  init(to payer: String, in accounts: CallerAccounts) {
    self.payer = payer
    self.accounts = accounts
  }

  deinit { set(0) }

  /// Sets the number of bytes.
  ///
  /// - Precondition: Only one thread calls it at a time.
  func set(_ count: Int) {
    let former = bytes.exchange(count, ordering: .relaxed)
    if count != former { accounts.add(count - former, to: payer) }
  }
}

/// The memory of trees and sessions, by the callers who made them.
final class CallerAccounts: Sendable {
  /// The lock is held for a look-up.
  private let bytes = Mutex<[String: Int]>([:])

  /// Returns the number of bytes that are charged to a caller.
  func bytes(of payer: String) -> Int { bytes.withLock { $0[payer, default: 0] } }

  /// Adds a number of bytes, which may be negative, to the charge of a caller.
  func add(_ count: Int, to payer: String) {
    bytes.withLock { bytes in
      let sum = bytes[payer, default: 0] + count
      bytes[payer] = sum == 0 ? nil : sum
    }
  }

  /// Makes a charge to a caller; nil if there is no caller.
  func charge(to payer: String?) -> MemoryCharge? {
    payer.map { MemoryCharge(to: $0, in: self) }
  }
}
