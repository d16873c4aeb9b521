import CPrefetch

/// The part of a ``KeyTable`` that holds the keys whose hashes have a common prefix.
struct KeySegment: Sendable {
  static let vacant: UInt64 = 0
  static let fewestSlots = 16

  /// The slots, with the hash in the upper half and the node index + 1 in the lower.
  private(set) var slots: [UInt64]
  /// The number of slots.
  ///
  /// Stored here as well, because the array's own count is mostly not in the cache.
  private var slotCount: Int
  /// The number of keys.
  private(set) var count = 0
  /// The length of the common prefix in bits.
  private(set) var depth: Int

  /// Makes an empty segment with room for `room` keys.
  init(depth: Int, room: Int) {
    self.depth = depth
    slotCount = Self.slots(for: room)
    slots = Array(repeating: Self.vacant, count: slotCount)
  }

  /// Returns the number of slots needed for a number of keys.
  static func slots(for keys: Int) -> Int { max(fewestSlots, keys * 4 / 3 + 1) }

  /// True if one more key would exceed the load limit of three quarters.
  var isFull: Bool { (count + 1) * 4 > slotCount * 3 }

  /// Returns the slot at which the probe for a hash starts.
  func home(of hash: UInt32) -> Int {
    let rest = UInt64(UInt32(truncatingIfNeeded: UInt64(hash) << depth))
    return Int((rest &* UInt64(slotCount)) >> 32)
  }

  /// Prefetches the first slot of a hash into the cache.
  func prefetch(_ hash: UInt32) {
    let home = home(of: hash)
    unsafe slots.withUnsafeBufferPointer { slots in
      unsafe cprefetch_read(slots.baseAddress.unsafelyUnwrapped + home)
    }
  }

  func next(_ place: Int) -> Int { place + 1 == slots.count ? 0 : place + 1 }

  /// Returns the number of probe steps from one slot to another.
  private func distance(from start: Int, to end: Int) -> Int {
    end >= start ? end - start : end - start + slots.count
  }

  /// Adds a key.
  ///
  /// - Precondition: There is room for it.
  mutating func place(_ slot: UInt64) {
    var place = home(of: UInt32(slot >> 32))
    while slots[place] != Self.vacant { place = next(place) }
    self.place(slot, at: place)
  }

  /// Stores a key.
  ///
  /// - Parameters:
  ///   - slot: The value to store; see ``slots``.
  ///   - place: The index of the first vacant slot on the key's probe path.
  /// - Precondition: The segment is not full.
  mutating func place(_ slot: UInt64, at place: Int) {
    slots[place] = slot
    count += 1
  }

  /// Removes a key and moves later ones back to close the gap.
  mutating func remove(_ slot: UInt64) {
    var hole = home(of: UInt32(slot >> 32))
    while slots[hole] != slot { hole = next(hole) }
    var place = next(hole)
    while slots[place] != Self.vacant {
      let home = home(of: UInt32(slots[place] >> 32))
      if distance(from: home, to: place) >= distance(from: hole, to: place) {
        slots[hole] = slots[place]
        hole = place
      }
      place = next(place)
    }
    slots[hole] = Self.vacant
    count -= 1
    if slots.count > Self.fewestSlots, count * 8 < slots.count { resize(to: slots.count / 2) }
  }

  mutating func grow() { resize(to: slots.count + slots.count / 2) }

  /// Moves the keys whose next hash bit is 1 to a new segment.
  mutating func split() -> KeySegment {
    let bit = UInt64(1) << (63 - depth)
    let former = slots
    let gone = former.count { $0 & bit != 0 }
    // Both have room for half as many keys again.
    var other = KeySegment(depth: depth + 1, room: gone + gone / 2)
    let stayed = count - gone
    self = KeySegment(depth: depth + 1, room: stayed + stayed / 2)
    for slot in former where slot != Self.vacant {
      if slot & bit != 0 { other.place(slot) } else { place(slot) }
    }
    return other
  }

  private mutating func resize(to room: Int) {
    let former = slots
    slotCount = max(room, Self.fewestSlots)
    slots = Array(repeating: Self.vacant, count: slotCount)
    count = 0
    for slot in former where slot != Self.vacant { place(slot) }
  }
}
