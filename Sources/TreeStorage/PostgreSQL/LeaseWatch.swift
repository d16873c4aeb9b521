/// The leases of instances, as observed by one of them.
///
/// A lease is over if two conditions hold. It has ended by the clock of the database, and this
/// instance has observed no extension for the time that the holder trusts its lease. So a jump of
/// the database's clock ends no lease too early: the holder stops before others act on the end.
/// Without an extension for twice that time, a lease is over in any case, because the clock of the
/// database may have been set back.
package struct LeaseWatch: Sendable {
  /// A lease as it is stored.
  package struct Lease: Equatable, Sendable {
    /// The number of the instance.
    package var id: Int
    /// Its end, in microseconds by the database's clock.
    package var until: Int
    /// True if it has ended by the database's clock.
    package var isPast: Bool

    /// Creates a lease.
    package init(id: Int, until: Int, isPast: Bool) {
      self.id = id
      self.until = until
      self.isPast = isPast
    }
  }

  private var seen: [Int: (until: Int, since: Int)] = [:]
  private let trustedMilliseconds: Int

  /// Creates a watch that has observed no lease.
  ///
  /// - Parameter trustedMilliseconds: The time for which the holder of a lease trusts it. The
  ///   holder counts it from the moment before its request.
  package init(trustedMilliseconds: Int) { self.trustedMilliseconds = trustedMilliseconds }

  /// Records all leases in the database.
  ///
  /// - Parameters:
  ///   - leases: The leases.
  ///   - now: A monotonic time in milliseconds, taken after the leases were read.
  /// - Returns: The numbers of the instances whose leases last.
  package mutating func record(_ leases: [Lease], at now: Int) -> Set<Int> {
    var next: [Int: (until: Int, since: Int)] = [:]
    for lease in leases {
      let known = seen[lease.id].flatMap { $0.until == lease.until ? $0 : nil }
      next[lease.id] = known ?? (lease.until, now)
    }
    seen = next
    return Set(leases.filter { !isOver($0, at: now) }.map(\.id))
  }

  /// Returns the leases without an extension for a time in milliseconds.
  func silent(for time: Int, at now: Int) -> [(id: Int, until: Int)] {
    seen.filter { now - $0.value.since >= time }.map { ($0.key, $0.value.until) }
  }

  /// Returns true if a lease is over, so that other instances may acquire the slots of its holder.
  package func isOver(_ lease: Lease, at now: Int) -> Bool {
    guard let known = seen[lease.id], known.until == lease.until else { return false }
    let silence = now - known.since
    return silence >= (lease.isPast ? trustedMilliseconds : 2 * trustedMilliseconds)
  }
}
