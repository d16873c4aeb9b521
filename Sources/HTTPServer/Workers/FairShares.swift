/// The virtual times of a group's members, which determine their order (fair queueing).
///
/// The group's clock advances by the used time divided by the number of active members, which is
/// each member's fair share. A new member starts slightly before the clock. It is therefore next,
/// and has no claim to what others used earlier. A member that has used more than its share waits
/// until the clock reaches its time.
struct FairShares<Member: Hashable> {
  private struct Share {
    var time: Int
    /// The number of the member's jobs.
    var jobs = 0
  }

  private var shares: [Member: Share] = [:]
  private var activeCount = 0
  private var clock = 0
  /// The maximum time by which a member may be behind the clock, in nanoseconds.
  private let maxCredit: Int

  init(maxCredit: Int) { self.maxCredit = maxCredit }

  /// The number of members with jobs.
  var count: Int { activeCount }

  /// Adds a job to a member.
  mutating func join(_ member: Member) {
    var share = shares[member] ?? Share(time: clock - maxCredit)
    if share.jobs == 0 {
      activeCount += 1
      share.time = max(share.time, clock - maxCredit)
    }
    share.jobs += 1
    shares[member] = share
  }

  /// Removes a job from a member.
  ///
  /// Use beyond its share is remembered.
  mutating func leave(_ member: Member) {
    guard var share = shares[member] else { return }
    share.jobs -= 1
    shares[member] = share
    guard share.jobs == 0 else { return }
    activeCount -= 1
    forgetIdle()
  }

  /// Records time that a member has used, in nanoseconds.
  mutating func charge(_ member: Member, _ time: Int) {
    guard var share = shares[member] else { return }
    clock += time / max(activeCount, 1)
    share.time = max(share.time, clock - maxCredit) + time
    shares[member] = share
  }

  /// Returns the virtual time of a member.
  ///
  /// The member with the least is next.
  func time(of member: Member) -> Int { shares[member]?.time ?? clock }

  /// Removes members without jobs or excess use, once there are many.
  private mutating func forgetIdle() {
    if activeCount == 0 {
      shares = [:]
    } else if shares.count > 2 * activeCount + 64 {
      shares = shares.filter { $0.value.jobs > 0 || $0.value.time > clock - maxCredit }
    }
  }
}

/// The tree and the caller to which a job's time is charged.
package struct WorkOwner: Hashable, Sendable {
  /// The number of the tree; `nil` for none.
  package var tree: Int?
  /// The name of the caller; `nil` for an anonymous one.
  package var caller: String?

  /// True if only one such job of the tree may have begun at a time; false without a tree.
  package var isExclusive: Bool

  /// Creates an owner.
  package init(tree: Int? = nil, caller: String? = nil, isExclusive: Bool = true) {
    self.tree = tree
    self.caller = caller
    self.isExclusive = isExclusive && tree != nil
  }
}
