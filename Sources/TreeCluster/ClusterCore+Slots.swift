import Glibc
import Synchronization
import TreeDomain
import TreeSessions
import TreeStorage

// Acquiring, releasing and losing slots.
extension ClusterCore {
  /// Records what a heartbeat read from the database, and begins to acquire, release and drop
  /// slots as ``SlotPlan`` decides.
  func hear(_ view: ClusterView) {
    let now = options.clock()
    let (lost, actions) = state.withLock { state in
      state.record(view, at: now)
      let holds = state.holds
      let actions = state.plan.decide(
        view,
        holds,
        at: now,
        isLeaving: isLeaving.load(ordering: .acquiring)
      )
      var lost: [OpenSlot] = []
      for action in actions {
        switch action {
        case .drop(let slot):
          if let open = state.open[slot] { lost.append(open) }
          state.open[slot] = nil
        case .acquire(let slot): state.isBusy[slot] = true
        case .release(let slot):
          state.isBusy[slot] = true
          state.open[slot]?.isClosing.store(true, ordering: .releasing)
        }
      }
      return (lost, actions)
    }
    end(lost)
    for action in actions {
      switch action {
      case .acquire(let slot): options.assign { [self] in try? acquire(slot) }
      case .release(let slot): options.assign { [self] in release(slot) }
      case .drop: continue
      }
    }
  }

  /// Drops all slots at once, because other instances may have acquired them.
  ///
  /// An instance that works alone ends instead.
  func dropAll() {
    if cluster.isAlone { return isOver.store(true, ordering: .releasing) }
    let lost = state.withLock { state in
      defer { state.open = Array(repeating: nil, count: state.open.count) }
      return state.open.compactMap(\.self)
    }
    end(lost)
  }

  private func end(_ lost: [OpenSlot]) {
    guard !lost.isEmpty else { return }
    if cluster.isAlone { isOver.store(true, ordering: .releasing) }
    dropped.add(lost.count, ordering: .relaxed)
    let numbers = lost.map { "\($0.number)" }.joined(separator: ", ")
    options.say("slots that another instance may have by now are dropped: \(numbers)")
    for open in lost {
      open.store.close()
      options.dispose { open.end() }
    }
  }

  /// Acquires a slot, and serves it.
  ///
  /// - Throws: ``StorageError`` if it cannot be opened. The operator is told once for each reason.
  func acquire(_ slot: Int) throws(StorageError) {
    defer { state.withLock { $0.isBusy[slot] = false } }
    do throws(StorageError) {
      guard let storage = try cluster.acquire(slot) else { return }
      options.tellGeneration(storage)
      let made: SlotStore
      let now = options.clock()
      let seconds = (now - (state.withLock { $0.lastOwned[slot] } ?? now)) / 1_000
      do throws(StorageError) { made = try options.makeStore(storage, seconds) } catch {
        storage.close()
        throw error
      }
      let open = OpenSlot(storage, made)
      if isDraining.load(ordering: .acquiring) { open.store.drain() }
      acquired.add(1, ordering: .relaxed)
      state.withLock { state in
        state.open[slot] = open
        state.faults[slot] = nil
      }
    } catch {
      let isNew = state.withLock { state in
        defer { state.faults[slot] = error }
        return state.faults[slot] != error
      }
      if isNew { options.say("slot \(slot) cannot be opened: \(error.reason)") }
      throw error
    }
  }

  /// Releases a slot after everything is written.
  ///
  /// - Parameters:
  ///   - slot: The slot.
  ///   - milliseconds: The maximum time to wait for running calls and unwritten changes.
  func release(_ slot: Int, withinMilliseconds milliseconds: Int = 5_000) {
    defer { state.withLock { $0.isBusy[slot] = false } }
    // It may have been dropped since the release was decided.
    guard let open = state.withLock({ $0.open[slot] }) else { return }
    open.isClosing.store(true, ordering: .releasing)
    let end = options.clock() + milliseconds
    func wait(until isDone: () -> Bool) {
      while !isDone(), !open.storage.isLost, options.clock() < end { usleep(1_000) }
    }
    wait { open.calls.load(ordering: .acquiring) == 0 }
    open.store.stop()
    wait { open.store.isWritten }
    state.withLock { state in
      state.open[slot] = nil
      state.addresses[slot] = nil
    }
    open.end()
    released.add(1, ordering: .relaxed)
  }
}

extension ClusterCore.State {
  /// The state of each slot here.
  fileprivate var holds: [SlotPlan.Hold] {
    open.indices.map { slot in
      if isBusy[slot] { return .busy }
      guard let open = open[slot] else { return .absent }
      return open.storage.isLost ? .lost : .held
    }
  }

  /// Records the members of the cluster and the owners of the slots.
  fileprivate mutating func record(_ view: ClusterView, at now: Int) {
    self.view = view
    for (slot, owner) in view.owners.enumerated() where owner != nil { lastOwned[slot] = now }
    let known = view.members.map { ($0.id, $0.address) }
    let addresses = Dictionary(known, uniquingKeysWith: { $1 })
    self.addresses = view.owners.map { owner in
      guard let owner, owner != view.id else { return nil }
      return addresses[owner].flatMap { $0.isEmpty ? nil : $0 }
    }
    others = view.members.filter { $0.id != view.id && !$0.address.isEmpty }.map(\.address)
  }
}
