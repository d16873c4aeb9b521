import Synchronization

/// How often credentials from each address were refused lately, in all loops of one server, so that
/// nobody can try many.
///
/// Counts a minute from the first refusal on. The lock is held for a look-up; once a second at most
/// for a look at the whole table, where that is full.
final class RefusedCredentials: Sendable {
  private struct Count {
    var refusals: Int
    /// When it is forgotten.
    var end: Int
  }

  private struct Table {
    var counts: [PeerAddress: Count] = [:]
    /// When old counts may be looked for again.
    var nextSweep = 0
  }

  /// For how long refusals are counted.
  static let milliseconds = 60_000
  /// Of so many addresses at once; others are not counted then.
  static let maxAddresses = 16_384

  private let limit: Int
  private let table = Mutex(Table())
  /// Whether there is anything in the table, so that mostly nobody takes the lock; it changes under
  /// the lock only.
  private let isInUse = Atomic(false)

  /// Counts up to a limit for each address.
  init(limit: Int) { self.limit = limit }

  /// Counts one more refusal, at a time in milliseconds.
  func note(_ address: PeerAddress, at now: Int) {
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

  /// How many seconds an address is to wait before it shows credentials again; nil if it need not.
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

  /// Of how many addresses something is counted.
  var addressCount: Int { table.withLock(\.counts.count) }

  private static func sweep(_ table: inout Table, at now: Int) {
    guard now >= table.nextSweep else { return }
    table.counts = table.counts.filter { $0.value.end > now }
    table.nextSweep = now + 1_000
  }
}
