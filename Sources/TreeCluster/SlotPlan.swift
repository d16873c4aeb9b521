package import TreeStorage

/// The decisions of an instance about slots, one heartbeat after another.
///
/// Each slot prefers the live instance for which the hash of address and slot is highest
/// (rendezvous hashing; Thaler and Ravishankar 1998). All instances therefore agree without
/// messages, and few slots move when an instance starts or stops.
///
/// The preferred instance acquires a slot without an owner at once; any other one does after
/// ``patience``. A slot is released to its preferred instance when that has been alive for
/// ``settling``, one slot at a time.
///
/// It uses no clock and no socket: the caller passes the time and the state in the database.
package struct SlotPlan: Sendable {
  /// The state of a slot at this instance.
  package enum Hold: Equatable, Sendable {
    case absent
    /// It is being acquired or released.
    case busy
    case held
    /// Another instance has acquired it since.
    case lost
  }

  /// A change of a slot's state at this instance.
  package enum Action: Equatable, Sendable {
    case acquire(Int)
    /// Release it after everything is written.
    case release(Int)
    /// Drop it at once, because another instance has it.
    case drop(Int)
  }

  /// The time after which any instance acquires a slot without an owner, in milliseconds.
  package static let patience = 2_000
  /// The minimum time in milliseconds that an instance must be alive, and that a slot must be held,
  /// before the slot is released to that instance.
  package static let settling = 10_000

  /// The time at which each instance was first seen.
  private var firstSeen: [Int: Int] = [:]
  /// For each slot without an owner, the time at which that was first seen.
  private var ownerless: [Int: Int] = [:]
  /// For each held slot, the time at which that was first seen.
  private var heldSince: [Int: Int] = [:]

  /// Creates a plan that has seen no instance and no slot.
  package init() {}

  /// Decides which slots to acquire, release and drop.
  ///
  /// - Parameters:
  ///   - view: The members and owners in the database.
  ///   - holds: The state of each slot here.
  ///   - now: A monotonic time in milliseconds.
  ///   - isLeaving: True if this instance releases all slots.
  /// - Returns: The actions, at most one for a slot.
  /// - Complexity: O(slots · instances).
  package mutating func decide(
    _ view: ClusterView,
    _ holds: [Hold],
    at now: Int,
    isLeaving: Bool
  ) -> [Action] {
    let ids = Set(view.members.map(\.id))
    firstSeen = firstSeen.filter { ids.contains($0.key) }
    for id in ids where firstSeen[id] == nil { firstSeen[id] = now }
    let candidates = Self.candidates(view.members)
    var actions: [Action] = []
    var mayRelease = true
    for (slot, hold) in holds.enumerated() where slot < view.owners.count {
      let preferred = Self.preferred(slot, candidates)
      if hold != .held { heldSince[slot] = nil }
      switch hold {
      case .busy: ownerless[slot] = nil
      case .lost: actions.append(.drop(slot))
      case .held:
        ownerless[slot] = nil
        let since = heldSince[slot] ?? now
        heldSince[slot] = since
        let isDue = mayRelease && isToMove(to: preferred, from: view.id, since: since, at: now)
        guard isLeaving || isDue else { continue }
        mayRelease = false
        actions.append(.release(slot))
      case .absent:
        guard !isLeaving else { continue }
        let owner = view.owners[slot]
        if owner != nil && owner != view.id {
          ownerless[slot] = nil
          continue
        }
        let since = ownerless[slot] ?? now
        ownerless[slot] = since
        guard owner == view.id || preferred == view.id || now - since >= Self.patience else {
          continue
        }
        actions.append(.acquire(slot))
      }
    }
    return actions
  }

  /// Returns true if a held slot should be released to the instance that it prefers.
  private func isToMove(to preferred: Int?, from id: Int, since: Int, at now: Int) -> Bool {
    guard let preferred, preferred != id, let seen = firstSeen[preferred] else { return false }
    return now - seen >= Self.settling && now - since >= Self.settling
  }

  /// Returns the instances that may acquire slots, one for each address.
  ///
  /// A restarted instance has a new id, and its former lease may still last. The newest id counts.
  private static func candidates(_ members: [ClusterView.Member]) -> [ClusterView.Member] {
    var newest: [String: ClusterView.Member] = [:]
    for member in members where !member.isLeaving {
      if let known = newest[member.address], known.id > member.id { continue }
      newest[member.address] = member
    }
    return Array(newest.values)
  }

  /// Returns the instance that a slot prefers; nil if there is none.
  static func preferred(_ slot: Int, _ members: [ClusterView.Member]) -> Int? {
    members.max { left, right in
      (weight(of: left, slot), left.id) < (weight(of: right, slot), right.id)
    }?.id
  }

  /// Returns the hash of an address and a slot.
  ///
  /// FNV-1a alone hardly changes its upper bits for the last byte, so the finalizer of MurmurHash3
  /// mixes it.
  private static func weight(of member: ClusterView.Member, _ slot: Int) -> UInt64 {
    var hash = TreeSlots.hash(of: Array(member.address.utf8) + [UInt8(truncatingIfNeeded: slot)])
    hash = (hash ^ hash >> 33) &* 0xFF51_AFD7_ED55_8CCD
    hash = (hash ^ hash >> 33) &* 0xC4CE_B9FE_1A85_EC53
    return hash ^ hash >> 33
  }
}
