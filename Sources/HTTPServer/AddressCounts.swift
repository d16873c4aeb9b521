import Synchronization

/// The number of connections from each address, over all event loops of a server.
///
/// The lock is held for one dictionary access.
final class AddressCounts: Sendable {
  private let limit: Int
  private let counts = Mutex<[PeerAddress: Int]>([:])

  /// Creates counts with a limit for each address.
  init(limit: Int) { self.limit = limit }

  /// Counts a new connection from an address; returns false if the limit is reached.
  func enter(_ address: PeerAddress) -> Bool {
    counts.withLock { counts in
      let count = counts[address, default: 0]
      guard count < limit else { return false }
      counts[address] = count + 1
      return true
    }
  }

  /// Counts the end of a connection from an address.
  func leave(_ address: PeerAddress) {
    counts.withLock { counts in
      let count = counts[address, default: 0]
      counts[address] = count > 1 ? count - 1 : nil
    }
  }

  /// The number of addresses with connections.
  var addressCount: Int { counts.withLock(\.count) }
}
