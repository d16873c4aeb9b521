/// The times that members of a group have used, by which they take turns.
///
/// A clock goes on by the time used, divided by the number of active members: by what each of them
/// should have got. A member that joins starts a little before that. So it is next, and is owed no
/// more of what the others used. One that has used more than its share waits until the clock is
/// there.
struct FairShares<Member: Hashable> {
  private struct Share {
    var time: Int
    /// The number of its jobs.
    var jobs = 0
  }

  private var shares: [Member: Share] = [:]
  private var activeCount = 0
  private var clock = 0
  /// The time by which a member may be before the clock at most, in nanoseconds: for two turns.
  private let maxCredit: Int

  init(maxCredit: Int) { self.maxCredit = maxCredit }

  /// The number of members that have jobs.
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

  /// Removes a job from a member; what the member used beyond its share is remembered.
  mutating func leave(_ member: Member) {
    guard var share = shares[member] else { return }
    share.jobs -= 1
    shares[member] = share
    guard share.jobs == 0 else { return }
    activeCount -= 1
    forgetIdle()
  }

  /// Counts time that a member has used, in nanoseconds.
  mutating func charge(_ member: Member, _ time: Int) {
    guard var share = shares[member] else { return }
    clock += time / max(activeCount, 1)
    share.time = max(share.time, clock - maxCredit) + time
    shares[member] = share
  }

  /// Returns the time by which a member takes its turn: who has the least is next.
  func time(of member: Member) -> Int { shares[member]?.time ?? clock }

  /// Forgets members without jobs that owe nothing, once they are many.
  private mutating func forgetIdle() {
    if activeCount == 0 {
      shares = [:]
    } else if shares.count > 2 * activeCount + 64 {
      shares = shares.filter { $0.value.jobs > 0 || $0.value.time > clock - maxCredit }
    }
  }
}
