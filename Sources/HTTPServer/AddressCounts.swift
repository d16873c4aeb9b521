import Synchronization

/// How many connections come from each address, in all loops of one server.
///
/// The lock is held for one look at a table that is no larger than the number of connections.
final class AddressCounts: Sendable {
  private let limit: Int
  private let counts = Mutex<[PeerAddress: Int]>([:])

  /// Counts up to a limit for each address.
  init(limit: Int) { self.limit = limit }

  /// Counts one more from an address, unless there are as many as there may be.
  func enter(_ address: PeerAddress) -> Bool {
    counts.withLock { counts in
      let count = counts[address, default: 0]
      guard count < limit else { return false }
      counts[address] = count + 1
      return true
    }
  }

  /// Counts one less from an address.
  func leave(_ address: PeerAddress) {
    counts.withLock { counts in
      let count = counts[address, default: 0]
      counts[address] = count > 1 ? count - 1 : nil
    }
  }

  /// How many addresses there are connections from.
  var addressCount: Int { counts.withLock(\.count) }
}
