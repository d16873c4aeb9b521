/// A scheduling policy for jobs: fair to trees, and within a tree to callers.
///
/// A limited number of jobs run at a time, each with a permit. A job whose quantum is over gives up
/// its permit if others wait, and waits itself, with its thread. The next job is always one of the
/// tree that has used the least time, and of that tree's caller that has used the least. A short
/// job of a new caller therefore waits for at most about a quantum.
///
/// It uses neither threads nor clocks: the caller reports events and used time. Not thread-safe.
struct FairSchedule {
  typealias JobID = Int

  private struct Job {
    let owner: WorkOwner
    var isStarted = false
    /// The time used since the job got its permit, in nanoseconds.
    var turnTime = 0
  }

  /// The jobs of a tree.
  private struct Lane {
    var callers: FairShares<String?>
    var waiting: [String?: WaitingJobs] = [:]
    var waitingCount = 0
    /// The exclusive job that has begun, if any.
    var holder: JobID?
    var running = 0
  }

  /// The time after which a job gives up its permit if others wait, in nanoseconds.
  static let quantum = 20_000_000

  /// The maximum number of running jobs.
  let permits: Int
  /// The maximum number of jobs that have begun and not ended, each with a thread.
  let maxStarted: Int
  /// The maximum number of permits of a tree, or of a named caller, while others wait.
  var half: Int { max(1, permits / 2) }

  private var jobs: [JobID: Job] = [:]
  private var lanes: [Int?: Lane] = [:]
  private var trees = FairShares<Int?>(maxCredit: 2 * quantum)
  private var runningOfCallers: [String: Int] = [:]
  private var lastID = 0
  /// The number of running jobs.
  private(set) var running = 0
  /// The number of jobs that have begun and not ended.
  private(set) var started = 0
  /// The number of jobs that wait for a permit.
  private(set) var waiting = 0

  /// Creates a schedule.
  ///
  /// - Parameters:
  ///   - permits: The maximum number of running jobs; at least one.
  ///   - maxParked: The maximum number of further jobs that have begun and wait for a permit.
  init(permits: Int, maxParked: Int) {
    precondition(permits > 0 && maxParked >= 0)
    self.permits = permits
    maxStarted = permits + maxParked
  }

  /// Adds a job, which waits for its first permit.
  mutating func add(_ owner: WorkOwner) -> JobID {
    lastID += 1
    jobs[lastID] = Job(owner: owner)
    trees.join(owner.tree)
    var lane = lanes[owner.tree] ?? Lane(callers: FairShares(maxCredit: 2 * Self.quantum))
    lane.callers.join(owner.caller)
    lanes[owner.tree] = lane
    wait(lastID, owner, isStarted: false)
    return lastID
  }

  /// Gives a permit to the next job, if a permit is free and a job may run.
  ///
  /// - Returns: The job, and true if it has not begun before.
  /// - Complexity: O(trees and callers with waiting jobs).
  mutating func next() -> (job: JobID, isNew: Bool)? {
    guard running < permits, waiting > 0 else { return nil }
    guard let tree = nextTree(isHalved: true) ?? nextTree(isHalved: false) else { return nil }
    return begin(tree.tree, tree.caller)
  }

  /// Records time that a running job has used, in nanoseconds.
  mutating func charge(_ id: JobID, _ time: Int) {
    guard let owner = jobs[id]?.owner else { return }
    jobs[id]?.turnTime += time
    trees.charge(owner.tree, time)
    lanes[owner.tree]?.callers.charge(owner.caller, time)
  }

  /// Revokes the permit of a running job if its quantum is over and another job waits.
  ///
  /// - Returns: True if the job must wait until ``next()`` returns it.
  mutating func yield(_ id: JobID) -> Bool {
    guard waiting > 0, let job = jobs[id], job.turnTime >= Self.quantum else { return false }
    jobs[id]?.turnTime = 0
    release(job.owner)
    wait(id, job.owner, isStarted: true)
    return true
  }

  /// Removes a running job that is done.
  mutating func finish(_ id: JobID) {
    guard let job = jobs.removeValue(forKey: id) else { return }
    release(job.owner)
    started -= 1
    let tree = job.owner.tree
    if lanes[tree]?.holder == id { lanes[tree]?.holder = nil }
    lanes[tree]?.callers.leave(job.owner.caller)
    trees.leave(tree)
    if lanes[tree]?.callers.count == 0 { lanes[tree] = nil }
  }

  /// Makes a job that could not begin wait again.
  mutating func putBack(_ id: JobID) {
    guard let job = jobs[id] else { return }
    jobs[id]?.isStarted = false
    started -= 1
    release(job.owner)
    if lanes[job.owner.tree]?.holder == id { lanes[job.owner.tree]?.holder = nil }
    wait(id, job.owner, isStarted: false)
  }

  // MARK: Choosing the next job

  /// Returns the tree and caller of the next job.
  ///
  /// If `isHalved`, trees and named callers with half of the permits are skipped.
  private func nextTree(isHalved: Bool) -> (tree: Int?, caller: String?)? {
    var found: (time: Int, first: JobID, tree: Int?, caller: String?)?
    for (tree, lane) in lanes where lane.waitingCount > 0 {
      if isHalved, tree != nil, lane.running >= half { continue }
      let time = trees.time(of: tree)
      guard let next = nextCaller(of: lane, isHalved) else { continue }
      if let found, (found.time, found.first) < (time, next.first) { continue }
      found = (time, next.first, tree, next.caller)
    }
    return found.map { ($0.tree, $0.caller) }
  }

  private func nextCaller(of lane: Lane, _ isHalved: Bool) -> (caller: String?, first: JobID)? {
    let mayStart = started < maxStarted
    let mayHold = mayStart && lane.holder == nil
    var found: (caller: String?, time: Int, first: JobID)?
    for (caller, waiting) in lane.waiting {
      if isHalved, let caller, runningOfCallers[caller, default: 0] >= half { continue }
      guard let first = waiting.first(mayStart: mayStart, mayHold: mayHold) else { continue }
      let time = lane.callers.time(of: caller)
      if let found, (found.time, found.first) < (time, first) { continue }
      found = (caller, time, first)
    }
    return found.map { ($0.caller, $0.first) }
  }

  private mutating func begin(_ tree: Int?, _ caller: String?) -> (job: JobID, isNew: Bool)? {
    let mayStart = started < maxStarted
    let mayHold = mayStart && lanes[tree]?.holder == nil
    let id = lanes[tree]?.waiting[caller]?.removeFirst(mayStart: mayStart, mayHold: mayHold)
    guard let id, let job = jobs[id] else { return nil }
    if lanes[tree]?.waiting[caller]?.isEmpty == true { lanes[tree]?.waiting[caller] = nil }
    lanes[tree]?.waitingCount -= 1
    lanes[tree]?.running += 1
    if job.owner.isExclusive { lanes[tree]?.holder = id }
    if let caller { runningOfCallers[caller, default: 0] += 1 }
    waiting -= 1
    running += 1
    if !job.isStarted { started += 1 }
    jobs[id]?.isStarted = true
    return (id, !job.isStarted)
  }

  private mutating func wait(_ id: JobID, _ owner: WorkOwner, isStarted: Bool) {
    let isExclusive = owner.isExclusive
    lanes[owner.tree]?.waiting[owner.caller, default: WaitingJobs()]
      .append(id, isStarted: isStarted, isExclusive: isExclusive)
    lanes[owner.tree]?.waitingCount += 1
    waiting += 1
  }

  private mutating func release(_ owner: WorkOwner) {
    running -= 1
    lanes[owner.tree]?.running -= 1
    guard let caller = owner.caller else { return }
    runningOfCallers[caller, default: 0] -= 1
    if runningOfCallers[caller] == 0 { runningOfCallers[caller] = nil }
  }
}

/// The waiting jobs of one caller in one tree, each kind in order of arrival.
private struct WaitingJobs {
  private var parked: [FairSchedule.JobID] = []
  private var shared: [FairSchedule.JobID] = []
  private var exclusive: [FairSchedule.JobID] = []

  var isEmpty: Bool { parked.isEmpty && shared.isEmpty && exclusive.isEmpty }

  mutating func append(_ id: FairSchedule.JobID, isStarted: Bool, isExclusive: Bool) {
    if isStarted {
      parked.append(id)
    } else if isExclusive {
      exclusive.append(id)
    } else {
      shared.append(id)
    }
  }

  /// Returns the first job that may run now: one that has begun, else the oldest.
  func first(mayStart: Bool, mayHold: Bool) -> FairSchedule.JobID? {
    let new = mayStart ? shared.first : nil
    let holding = mayHold ? exclusive.first : nil
    return parked.first ?? [new, holding].compactMap(\.self).min()
  }

  /// Removes and returns the first job that may run now.
  mutating func removeFirst(mayStart: Bool, mayHold: Bool) -> FairSchedule.JobID? {
    guard let id = first(mayStart: mayStart, mayHold: mayHold) else { return nil }
    if parked.first == id {
      parked.removeFirst()
    } else if shared.first == id {
      shared.removeFirst()
    } else {
      exclusive.removeFirst()
    }
    return id
  }
}
