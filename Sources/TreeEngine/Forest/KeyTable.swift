/// Keys to nodes, or to whatever else is numbered: extendible hashing over bytes that are held
/// elsewhere.
///
/// The upper bits of a hash tell its *segment*, an open-addressing table with linear probing. A
/// segment grows by itself; when it is as large as any may be, it is split in two, so that no
/// insertion moves more than one segment's keys, however many there are.
///
/// A slot is a node's index and 32 bits of its key's hash, so that a probe rarely looks at key
/// bytes. Hashes are made under a secret of the process (``SipHash``), so that a client cannot
/// choose colliding keys.
///
/// Where a hash belongs in its segment is its share of the slots, so that any number of slots will
/// do and the slots are nearly in the order of their hashes.
///
/// Source: Fagin, Nievergelt, Pippenger and Strong, *Extendible Hashing*, ACM TODS 4(3), 1979.
public struct KeyTable: Sendable {
  /// By the upper bits of a hash, the segment it is in; none while there is but one.
  private var directory: [Int32] = []
  private var segments: [KeySegment]
  /// How many bits of a hash the directory looks at.
  private var depth = 0
  private let mostSlots: Int
  /// The number of slots of all segments.
  private var slotCount: Int
  private(set) var count = 0
  /// How many keys were removed so far: as long as that stays, what was found is there.
  private(set) var removedCount = 0

  /// Makes an empty table.
  public init() { self.init(mostSlots: 8_192) }

  /// Makes an empty table whose segments have so many slots at most.
  init(mostSlots: Int) {
    self.mostSlots = max(mostSlots, KeySegment.fewestSlots)
    segments = [KeySegment(depth: 0, room: 0)]
    slotCount = segments[0].slots.count
  }

  /// The bytes of its segments and its directory.
  ///
  /// - Complexity: O(1).
  var byteCount: Int {
    slotCount * MemoryLayout<UInt64>.stride + segments.byteCount + directory.byteCount
      + segments.count * heapObjectBytes
  }

  /// The hash of a key.
  ///
  /// - Complexity: O(bytes).
  public static func hash(_ key: Span<UInt8>) -> UInt32 {
    UInt32(truncatingIfNeeded: seededHash(of: key))
  }

  /// Adds up the slots anew, and compares; for tests.
  func checkMemory() {
    precondition(slotCount == segments.reduce(0) { $0 + $1.slots.count }, "slots are not counted")
  }

  private func segment(of hash: UInt32) -> Int {
    depth == 0 ? 0 : Int(directory[Int((UInt64(hash) << depth) >> 32)])
  }

  /// Begins to load where keys of a hash belong, and does not wait for it.
  func prefetch(hash: UInt32) { segments[segment(of: hash)].prefetch(hash) }

  /// What was found where a key belongs: its number, or a slot that is vacant.
  enum Finding {
    case number(Int32)
    case vacancy(segment: Int, place: Int)
  }

  /// The number whose key has this hash and satisfies `matches`, or where it would be.
  ///
  /// - Complexity: O(1) on average.
  @inline(__always)
  func look(hash: UInt32, matches: (Int32) -> Bool) -> Finding {
    let segment = segment(of: hash)
    var place = segments[segment].home(of: hash)
    while case let slot = segments[segment].slots[place], slot != KeySegment.vacant {
      if UInt32(slot >> 32) == hash {
        let node = Int32(truncatingIfNeeded: slot & 0xFFFF_FFFF) - 1
        if matches(node) { return .number(node) }
      }
      place = segments[segment].next(place)
    }
    return .vacancy(segment: segment, place: place)
  }

  /// The number whose key has this hash and satisfies `matches`; nil where there is none.
  ///
  /// - Complexity: O(1) on average.
  public func find(hash: UInt32, matches: (Int32) -> Bool) -> Int32? {
    guard case .number(let node) = look(hash: hash, matches: matches) else { return nil }
    return node
  }

  /// What stands where keys of a hash belong, be it another's; its place in memory is looked at and
  /// nothing else.
  func first(ofHash hash: UInt32) -> UInt64 {
    let segment = segment(of: hash)
    return segments[segment].slots[segments[segment].home(of: hash)]
  }

  /// The first number whose key has this hash, given what stands where it belongs; nil if none has.
  ///
  /// - Complexity: O(1) on average.
  func candidate(forHash hash: UInt32, first slot: UInt64) -> Int32? {
    if slot == KeySegment.vacant { return nil }
    if UInt32(slot >> 32) == hash { return Int32(truncatingIfNeeded: slot & 0xFFFF_FFFF) - 1 }
    return find(hash: hash) { _ in true }
  }

  /// Adds a key that was looked for, and not found, since which the table has not changed.
  ///
  /// - Complexity: as ``insert(_:hash:)``.
  mutating func insert(_ node: Int32, hash: UInt32, inSegment segment: Int, at place: Int) {
    if segments[segment].isFull { return insert(node, hash: hash) }
    segments[segment].place(UInt64(hash) << 32 | UInt64(node + 1), at: place)
    count += 1
  }

  /// Adds a key that is not in the table.
  ///
  /// - Complexity: O(1) on average, and O(slots of a segment).
  public mutating func insert(_ node: Int32, hash: UInt32) {
    insert(UInt64(hash) << 32 | UInt64(node + 1))
    count += 1
  }

  private mutating func insert(_ slot: UInt64) {
    let hash = UInt32(slot >> 32)
    var segment = segment(of: hash)
    while segments[segment].isFull {
      let isLargest = segments[segment].slots.count * 3 / 2 > mostSlots
      if isLargest && canSplit(segment) {
        split(segment, hash)
        segment = self.segment(of: hash)
      } else {
        slotCount -= segments[segment].slots.count
        segments[segment].grow()
        slotCount += segments[segment].slots.count
      }
    }
    segments[segment].place(slot)
  }

  /// Removes a key that is in the table, closing the gap by moving later ones back.
  mutating func remove(_ node: Int32, hash: UInt32) {
    let segment = segment(of: hash)
    slotCount -= segments[segment].slots.count
    segments[segment].remove(UInt64(hash) << 32 | UInt64(node + 1))
    slotCount += segments[segment].slots.count
    count -= 1
    removedCount += 1
  }

  // MARK: Splitting

  /// Whether one more bit may tell the keys of a segment apart, and is worth a directory that may
  /// become twice as long: it is not where many keys have one hash.
  private func canSplit(_ segment: Int) -> Bool {
    segments[segment].depth < min(depth, 31)
      || depth < 31 && 1 << depth <= Self.mostEntries * segments.count
  }

  /// Entries of the directory for each segment, at most, when it becomes twice as long.
  private static var mostEntries: Int { 4 }

  /// Makes two segments of one, by the first bit of their hashes that it did not look at.
  private mutating func split(_ segment: Int, _ hash: UInt32) {
    let ownDepth = segments[segment].depth
    if ownDepth == depth {
      directory = directory.isEmpty ? [0, 0] : directory.flatMap { [$0, $0] }
      depth += 1
    }
    let half = 1 << (depth - ownDepth - 1)
    let first = Int((UInt64(hash) << depth) >> 32) & ~(2 * half - 1)
    let new = Int32(segments.count)
    for entry in (first + half)..<(first + 2 * half) { directory[entry] = new }
    slotCount -= segments[segment].slots.count
    segments.append(segments[segment].split())
    slotCount += segments[segment].slots.count + segments[Int(new)].slots.count
  }

  // MARK: All at once

  /// Follows the nodes to their new ids, in a table of the size that suits them.
  ///
  /// - Complexity: O(slots).
  mutating func compact(_ new: NodeRenumbering) {
    let former = segments
    self = KeyTable(mostSlots: mostSlots)
    reserve(former.reduce(0) { $0 + $1.count })
    for segment in former {
      for slot in segment.slots where slot != KeySegment.vacant {
        let node = NodeID(Int32(truncatingIfNeeded: slot & 0xFFFF_FFFF) - 1)
        insert(new.of(node).index, hash: UInt32(slot >> 32))
      }
    }
  }

  /// Makes room for so many keys more, where there are few.
  ///
  /// Many find room as they come.
  ///
  /// - Complexity: O(keys to come).
  public mutating func reserve(_ more: Int) {
    guard segments.count == 1 else { return }
    let needed = KeySegment.slots(for: count + more)
    guard needed > segments[0].slots.count else { return }
    let former = segments[0]
    // Segments are not filled evenly.
    while needed / 8 * 9 > mostSlots << depth { depth += 1 }
    let room = (count + more) / 8 * 9 >> depth
    segments = (0..<(1 << depth)).map { _ in KeySegment(depth: depth, room: room) }
    slotCount = segments.reduce(0) { $0 + $1.slots.count }
    directory = depth == 0 ? [] : segments.indices.map { Int32($0) }
    for slot in former.slots where slot != KeySegment.vacant { insert(slot) }
  }
}
