import Synchronization

/// The number of recently refused credentials from each address, over all event loops of a server.
///
/// It limits guessing. Refusals are counted for a minute from the first one. The lock is held for
/// one look-up, and at most once a second for a scan of a full table.
final class RefusedCredentials: Sendable {
  private struct Count {
    var refusals: Int
    /// The time when the count expires.
    var end: Int
  }

  private struct Table {
    var counts: [PeerAddress: Count] = [:]
    /// The earliest time of the next removal of expired counts.
    var nextSweep = 0
  }

  /// The time for which refusals are counted.
  static let milliseconds = 60_000
  /// The maximum number of addresses; refusals of further ones are not counted.
  static let maxAddresses = 16_384

  private let limit: Int
  private let table = Mutex(Table())
  /// A hint that the table is not empty, which mostly avoids the lock.
  ///
  /// It is changed only under the lock.
  private let isInUse = Atomic(false)

  /// Creates counts with a limit for each address.
  init(limit: Int) { self.limit = limit }

  /// Counts a refusal, at a time in milliseconds.
  func record(_ address: PeerAddress, at now: Int) {
    table.withLock { table in
      isInUse.store(true, ordering: .relaxed)
      if var count = table.counts[address], count.end > now {
        count.refusals += 1
        table.counts[address] = count
        return
      }
      if table.counts.count >= Self.maxAddresses { Self.sweep(&table, at: now) }
      guard table.counts.count < Self.maxAddresses else { return }
      table.counts[address] = Count(refusals: 1, end: now + Self.milliseconds)
    }
  }

  /// Returns the seconds until an address may use credentials again; nil if it may now.
  func secondsLeft(for address: PeerAddress, at now: Int) -> Int? {
    guard isInUse.load(ordering: .relaxed) else { return nil }
    return table.withLock { table in
      guard let count = table.counts[address] else { return nil }
      guard count.end > now else {
        table.counts[address] = nil
        if table.counts.isEmpty { isInUse.store(false, ordering: .relaxed) }
        return nil
      }
      return count.refusals < limit ? nil : (count.end - now + 999) / 1_000
    }
  }

  /// The number of addresses with a count.
  var addressCount: Int { table.withLock(\.counts.count) }

  private static func sweep(_ table: inout Table, at now: Int) {
    guard now >= table.nextSweep else { return }
    table.counts = table.counts.filter { $0.value.end > now }
    table.nextSweep = now + 1_000
  }
}
