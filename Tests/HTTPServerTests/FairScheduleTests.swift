import TestSupport
import Testing

@testable import HTTPServer

/// Properties of the scheduling order in random runs, without threads and clocks.
@Suite struct `A fair schedule` {
  private static let quantum = FairSchedule.quantum

  /// A run of a schedule, in which all running jobs use the same time in each step.
  private struct Run {
    var schedule: FairSchedule
    /// The remaining time of each job; `running` and `begun` hold the jobs in that state.
    var left: [Int: Int] = [:]
    var owners: [Int: WorkOwner] = [:]
    var running: Set<Int> = []
    var begun: Set<Int> = []
    /// The steps that each job has waited since it was added or last ran.
    var waits: [Int: Int] = [:]
    var longestWait = 0
    var used: [WorkOwner: Int] = [:]

    init(permits: Int, maxParked: Int = 128) {
      schedule = FairSchedule(permits: permits, maxParked: maxParked)
    }

    mutating func add(_ owner: WorkOwner, needing time: Int) -> Int {
      let id = schedule.add(owner)
      left[id] = time
      owners[id] = owner
      waits[id] = 0
      return id
    }

    /// Gives out the free permits.
    mutating func dispatch() {
      while let (id, isNew) = schedule.next() {
        #expect(left[id] != nil && !running.contains(id))
        #expect(isNew == !begun.contains(id))
        checkHalf(of: id)
        running.insert(id)
        begun.insert(id)
        waits[id] = nil
      }
      #expect(running.count <= schedule.permits && running.count == schedule.running)
      #expect(begun.count == schedule.started && begun.count <= schedule.maxStarted)
      #expect(left.count - running.count == schedule.waiting)
      let held = begun.compactMap { owners[$0] }.filter(\.isExclusive).map(\.tree)
      #expect(Set(held).count == held.count, "one exclusive job of a tree has begun at most")
    }

    /// Checks that a tree gets more than half of the permits only if no other job could use them.
    private func checkHalf(of id: Int) {
      guard let owner = owners[id], let tree = owner.tree else { return }
      let held = running.count { owners[$0]?.tree == tree }
      guard held >= schedule.half else { return }
      let others = waits.keys.filter { other in
        guard let waiting = owners[other], waiting.tree != tree else { return false }
        let mayBegin = begun.contains(other) || begun.count < schedule.maxStarted
        let isHeld = begun.contains { owners[$0]?.tree == waiting.tree && owners[$0]!.isExclusive }
        let isOver =
          waiting.tree != nil
          && running.count { owners[$0]?.tree == waiting.tree } >= schedule.half
        let isCallerOver =
          waiting.caller != nil
          && running.count { owners[$0]?.caller == waiting.caller } >= schedule.half
        let mayRun = begun.contains(other) || mayBegin && !(waiting.isExclusive && isHeld)
        return mayRun && !isOver && !isCallerOver
      }
      #expect(others.isEmpty)
    }

    /// Lets each running job use some time.
    mutating func step(_ time: Int) {
      for id in running.sorted() {
        guard let rest = left[id], let owner = owners[id] else { continue }
        let spent = min(rest, time)
        schedule.charge(id, spent)
        used[owner, default: 0] += spent
        left[id] = rest - spent
        if rest <= time {
          schedule.finish(id)
          running.remove(id)
          begun.remove(id)
          left[id] = nil
          owners[id] = nil
        } else if schedule.yield(id) {
          running.remove(id)
          waits[id] = 0
          dispatch()
        }
      }
      dispatch()
      for id in waits.keys { waits[id, default: 0] += 1 }
      longestWait = max(longestWait, waits.values.max() ?? 0)
    }
  }

  @Test(arguments: Seed.seeds(count: 20))
  func `all jobs complete within the limits`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let permits = Int.random(in: 1...5, using: &random)
    let maxParked = Int.random(in: 0...6, using: &random)
    var run = Run(permits: permits, maxParked: maxParked)
    for step in 0..<600 {
      if step < 400, Int.random(in: 0..<3, using: &random) == 0 {
        let owner = WorkOwner(
          tree: [nil, 1, 2, 3, 4].randomElement(using: &random) ?? nil,
          caller: [nil, "a", "b"].randomElement(using: &random) ?? nil,
          isExclusive: Bool.random(using: &random)
        )
        _ = run.add(owner, needing: Self.quantum * Int.random(in: 1...4, using: &random) / 2)
        run.dispatch()
      }
      run.step(Self.quantum / 2)
    }
    while !run.left.isEmpty, run.longestWait < 10_000 { run.step(Self.quantum) }
    #expect(run.left.isEmpty, "SEED=\(seed)")
    #expect(run.schedule.running == 0 && run.schedule.started == 0 && run.schedule.waiting == 0)
  }

  @Test(arguments: [1, 2, 4])
  func `trees get equal times for any number of jobs and callers`(permits: Int) {
    var run = Run(permits: permits)
    let counts = [1: 1, 2: 3, 3: 9, 4: 2, 5: 20]
    for (tree, count) in counts {
      for number in 0..<count {
        let owner = WorkOwner(tree: tree, caller: "\(tree) \(number)", isExclusive: false)
        _ = run.add(owner, needing: .max)
      }
    }
    run.dispatch()
    for _ in 0..<1_000 { run.step(Self.quantum) }
    var times: [Int: Int] = [:]
    for (owner, time) in run.used { times[owner.tree ?? 0, default: 0] += time }
    let most = times.values.max() ?? 0
    let least = times.values.min() ?? 0
    // A single job cannot use more than one permit.
    #expect(permits > 2 || most - least <= 4 * Self.quantum, "\(times)")
    #expect(least >= 1_000 * Self.quantum / 5)
  }

  @Test func `callers of a tree get equal times`() {
    var run = Run(permits: 1)
    for (caller, count) in ["a": 1, "b": 5, "c": 20] {
      for _ in 0..<count {
        _ = run.add(WorkOwner(tree: 1, caller: caller, isExclusive: false), needing: .max)
      }
    }
    run.dispatch()
    for _ in 0..<300 { run.step(Self.quantum) }
    for time in run.used.values { #expect(abs(time - 100 * Self.quantum) <= 2 * Self.quantum) }
  }

  @Test func `a short job of a new tree runs after at most a quantum`() {
    var run = Run(permits: 2)
    for tree in 1...20 { _ = run.add(WorkOwner(tree: tree), needing: .max) }
    run.dispatch()
    for _ in 0..<97 { run.step(Self.quantum / 4) }
    for tree in 21..<30 {
      let id = run.add(WorkOwner(tree: tree), needing: 1)
      run.dispatch()
      var steps = 0
      while run.left[id] != nil, steps < 100 {
        run.step(Self.quantum / 4)
        steps += 1
      }
      #expect(steps <= 5)
    }
  }

  @Test func `a flood of short jobs of new trees does not starve a long one`() {
    var run = Run(permits: 1)
    _ = run.add(WorkOwner(tree: 0), needing: .max)
    run.dispatch()
    for tree in 1..<4_000 {
      if tree % 2 == 0 { _ = run.add(WorkOwner(tree: tree), needing: Self.quantum / 10) }
      run.dispatch()
      run.step(Self.quantum / 10)
    }
    let time = run.used[WorkOwner(tree: 0)] ?? 0
    #expect(time >= 4_000 * Self.quantum / 10 / 3)
  }

  @Test func `idle time gives no credit`() {
    var run = Run(permits: 1)
    _ = run.add(WorkOwner(tree: 1), needing: .max)
    run.dispatch()
    for _ in 0..<500 { run.step(Self.quantum) }
    _ = run.add(WorkOwner(tree: 2), needing: .max)
    run.used = [:]
    for _ in 0..<100 { run.step(Self.quantum) }
    for time in run.used.values { #expect(abs(time - 50 * Self.quantum) <= 3 * Self.quantum) }
  }
}
