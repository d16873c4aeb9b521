import Synchronization

/// The bytes that are counted for a caller on account of one holder: a tree, or a session.
///
/// They count until it is let go of.
final class MemoryCharge: Sendable {
  /// The name of the caller.
  let payer: String
  private let accounts: CallerAccounts
  private let bytes = Atomic(0)

  /// Creates a charge of no bytes.
  init(to payer: String, in accounts: CallerAccounts) {
    self.payer = payer
    self.accounts = accounts
  }

  deinit { set(0) }

  /// Has so many bytes counted in place of those before.
  ///
  /// To be called by one thread at a time.
  func set(_ count: Int) {
    let former = bytes.exchange(count, ordering: .relaxed)
    if count != former { accounts.add(count - former, to: payer) }
  }
}

/// The bytes that trees and sessions hold, by the callers who made them.
final class CallerAccounts: Sendable {
  /// Held for a look-up.
  private let bytes = Mutex<[String: Int]>([:])

  /// Returns the bytes that are counted for a caller.
  func bytes(of payer: String) -> Int { bytes.withLock { $0[payer, default: 0] } }

  /// Counts more bytes for a caller, or fewer.
  func add(_ count: Int, to payer: String) {
    bytes.withLock { bytes in
      let sum = bytes[payer, default: 0] + count
      bytes[payer] = sum == 0 ? nil : sum
    }
  }

  /// Creates a charge to a caller, if there is one.
  func charge(to payer: String?) -> MemoryCharge? {
    payer.map { MemoryCharge(to: $0, in: self) }
  }
}
