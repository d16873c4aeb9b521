import CPrefetch

/// The keys of a ``KeyTable`` whose hashes begin alike.
struct KeySegment: Sendable {
  static let vacant: UInt64 = 0
  static let fewestSlots = 16

  /// Hash in the upper half, node index + 1 in the lower.
  private(set) var slots: [UInt64]
  /// How many slots there are: the array has its count where they are, which mostly is in no cache,
  /// and where a hash belongs is asked for first.
  private var slotCount: Int
  /// How many keys there are.
  private(set) var count = 0
  /// How many bits all hashes begin with.
  private(set) var depth: Int

  /// Makes an empty segment with room for so many keys.
  init(depth: Int, room: Int) {
    self.depth = depth
    slotCount = Self.slots(for: room)
    slots = Array(repeating: Self.vacant, count: slotCount)
  }

  /// How many slots so many keys take.
  static func slots(for keys: Int) -> Int { max(fewestSlots, keys * 4 / 3 + 1) }

  /// Whether one more key is one too many.
  var isFull: Bool { (count + 1) * 4 > slotCount * 3 }

  /// Where a hash belongs.
  func home(of hash: UInt32) -> Int {
    let rest = UInt64(UInt32(truncatingIfNeeded: UInt64(hash) << depth))
    return Int((rest &* UInt64(slotCount)) >> 32)
  }

  /// Begins to load where a hash belongs, for who looks there soon, and does not wait for it.
  func prefetch(_ hash: UInt32) {
    let home = home(of: hash)
    unsafe slots.withUnsafeBufferPointer { slots in
      unsafe cprefetch_read(slots.baseAddress.unsafelyUnwrapped + home)
    }
  }

  func next(_ place: Int) -> Int { place + 1 == slots.count ? 0 : place + 1 }

  /// How many steps it is from one place to another.
  private func distance(from start: Int, to end: Int) -> Int {
    end >= start ? end - start : end - start + slots.count
  }

  /// Adds a key for which there is room.
  mutating func place(_ slot: UInt64) {
    var place = home(of: UInt32(slot >> 32))
    while slots[place] != Self.vacant { place = next(place) }
    self.place(slot, at: place)
  }

  /// Adds a key where it belongs, which is vacant, and for which there is room.
  mutating func place(_ slot: UInt64, at place: Int) {
    slots[place] = slot
    count += 1
  }

  /// Removes a key, closing the gap by moving later ones back.
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

  /// Gives away the keys whose hashes go on with a one.
  mutating func split() -> KeySegment {
    let bit = UInt64(1) << (63 - depth)
    let former = slots
    let gone = former.count { $0 & bit != 0 }
    // Both have room for half as many more.
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
