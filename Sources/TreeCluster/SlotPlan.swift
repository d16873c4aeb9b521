public import TreeStorage

/// The decisions of an instance about slots, one heartbeat after another.
///
/// Each slot prefers one of the instances that are alive: that with the highest hash of its address
/// and the slot (Thaler and Ravishankar 1998, rendezvous hashing). So all instances agree without
/// talking, and little changes when one comes or goes. A slot without an owner is acquired by the
/// preferred instance at once, and by any other one after some time. A slot whose preferred
/// instance has been alive for a while is released to it, one slot at a time.
///
/// It has no clock and no socket: the caller gives the time and what the database told.
public struct SlotPlan: Sendable {
  /// The state of a slot at this instance.
  public enum Hold: Equatable, Sendable {
    case absent
    /// It is being acquired or released.
    case busy
    case held
    /// Another instance has acquired it since.
    case lost
  }

  /// A thing to do with a slot.
  public enum Action: Equatable, Sendable {
    case acquire(Int)
    /// Give it up after everything is written.
    case release(Int)
    /// Forget it at once.
    case drop(Int)
  }

  /// The time after which any instance acquires a slot without an owner, in milliseconds.
  public static let patience = 2_000
  /// The time for which an instance must be alive before slots are released to it, and for which a
  /// slot is kept, in milliseconds.
  public static let settling = 10_000

  /// The times when instances were first seen.
  private var firstSeen: [Int: Int] = [:]
  /// The times since when slots have no owner.
  private var ownerless: [Int: Int] = [:]
  /// The times since when slots are held.
  private var heldSince: [Int: Int] = [:]

  /// Begins without any knowledge.
  public init() {}

  /// Decides what is to be done.
  ///
  /// - Parameters:
  ///   - view: What the database told.
  ///   - holds: The state of each slot here.
  ///   - now: A monotonic time in milliseconds.
  ///   - isLeaving: True if this instance gives all slots up.
  /// - Returns: The actions, at most one for a slot.
  /// - Complexity: O(slots · instances).
  public mutating func decide(
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

  /// Returns true if a slot is to be released to the instance that it prefers.
  private func isToMove(to preferred: Int?, from id: Int, since: Int, at now: Int) -> Bool {
    guard let preferred, preferred != id, let seen = firstSeen[preferred] else { return false }
    return now - seen >= Self.settling && now - since >= Self.settling
  }

  /// Returns the instances that may acquire slots, one for each address.
  ///
  /// An instance that was started anew has another number, and its former lease may still last.
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

  /// The hash of an address and a slot, mixed by the end of MurmurHash3, as FNV-1a alone hardly
  /// changes its upper bits for the last byte.
  private static func weight(of member: ClusterView.Member, _ slot: Int) -> UInt64 {
    var hash = TreeSlots.hash(of: Array(member.address.utf8) + [UInt8(truncatingIfNeeded: slot)])
    hash = (hash ^ hash >> 33) &* 0xFF51_AFD7_ED55_8CCD
    hash = (hash ^ hash >> 33) &* 0xC4CE_B9FE_1A85_EC53
    return hash ^ hash >> 33
  }
}
