/// The leases of instances, as one of them sees them.
///
/// A lease is over if that is so by the clock of the database, and if it was not extended for the
/// time that its holder trusts it, by the own clock. So a clock of the database that jumps ends no
/// lease too early: when another instance acts on the end, the holder has stopped before. After
/// twice that time it is over in any case, as the clock of the database may have been put back.
public struct LeaseWatch: Sendable {
  /// A lease as it is stored.
  public struct Lease: Equatable, Sendable {
    /// The number of the instance.
    public var id: Int
    /// Its end, in microseconds by the database's clock.
    public var until: Int
    /// True if that has passed by the database's clock.
    public var isPast: Bool

    /// Makes a lease.
    public init(id: Int, until: Int, isPast: Bool) {
      self.id = id
      self.until = until
      self.isPast = isPast
    }
  }

  private var seen: [Int: (until: Int, since: Int)] = [:]
  private let trustedMilliseconds: Int

  /// Begins to watch.
  ///
  /// - Parameter trustedMilliseconds: The time that the holder of a lease trusts it, from before it
  ///   asked for it.
  public init(trustedMilliseconds: Int) { self.trustedMilliseconds = trustedMilliseconds }

  /// Takes note of all leases.
  ///
  /// - Parameters:
  ///   - leases: The leases.
  ///   - now: A monotonic time in milliseconds after they were read.
  /// - Returns: The numbers of the instances whose leases last.
  public mutating func record(_ leases: [Lease], at now: Int) -> Set<Int> {
    var next: [Int: (until: Int, since: Int)] = [:]
    for lease in leases {
      let known = seen[lease.id].flatMap { $0.until == lease.until ? $0 : nil }
      next[lease.id] = known ?? (lease.until, now)
    }
    seen = next
    return Set(leases.filter { !isOver($0, at: now) }.map(\.id))
  }

  /// Returns the leases that were not extended for a time, in milliseconds.
  func silent(for time: Int, at now: Int) -> [(id: Int, until: Int)] {
    seen.filter { now - $0.value.since >= time }.map { ($0.key, $0.value.until) }
  }

  /// Returns true if a lease is over, so that others may take what its holder had.
  public func isOver(_ lease: Lease, at now: Int) -> Bool {
    guard let known = seen[lease.id], known.until == lease.until else { return false }
    let silence = now - known.since
    return silence >= (lease.isPast ? trustedMilliseconds : 2 * trustedMilliseconds)
  }
}
