/// A hash table from keys to node numbers: extendible hashing over bytes that are stored elsewhere.
///
/// The upper bits of a hash select a *segment*, an open-addressing table with linear probing. A
/// segment grows on its own and is split in two when it reaches its maximum. So an insertion moves
/// the keys of one segment at most.
///
/// A slot holds a node index and 32 bits of the key's hash, so a probe rarely reads key bytes.
/// Hashes depend on a secret of the process (`Hasher`), so a client cannot choose colliding
/// keys.
///
/// The hash is scaled to the number of slots of a segment. So any number of slots is possible, and
/// slots are nearly sorted by hash.
///
/// Source: Fagin, Nievergelt, Pippenger and Strong, *Extendible Hashing*, ACM TODS 4(3), 1979.
public struct KeyTable: Sendable {
  /// The segment for each value of the upper hash bits.
  ///
  /// Empty while there is one segment.
  private var directory: [Int32] = []
  private var segments: [KeySegment]
  /// The number of hash bits that the directory uses.
  private var depth = 0
  private let mostSlots: Int
  /// The number of slots of all segments.
  private var slotCount: Int
  private(set) var count = 0
  /// The number of keys removed so far.
  ///
  /// While it does not change, node indexes found earlier remain valid.
  private(set) var removedCount = 0

  /// Makes an empty table.
  public init() { self.init(mostSlots: 8_192) }

  /// Makes an empty table.
  ///
  /// A segment that would exceed `mostSlots` slots is split if possible.
  init(mostSlots: Int) {
    self.mostSlots = max(mostSlots, KeySegment.fewestSlots)
    segments = [KeySegment(depth: 0, room: 0)]
    slotCount = segments[0].slots.count
  }

  /// The size of the segments and the directory in bytes.
  ///
  /// - Complexity: O(1).
  var byteCount: Int {
    slotCount * MemoryLayout<UInt64>.stride + segments.byteCount + directory.byteCount
      + segments.count * heapObjectBytes
  }

  /// Returns the hash of a key.
  ///
  /// - Complexity: O(bytes).
  public static func hash(_ key: Span<UInt8>) -> UInt32 {
    UInt32(truncatingIfNeeded: seededHash(of: key))
  }

  /// Recomputes the number of slots and compares it.
  ///
  /// For tests.
  func checkMemory() {
    precondition(slotCount == segments.reduce(0) { $0 + $1.slots.count }, "slots are not counted")
  }

  private func segment(of hash: UInt32) -> Int {
    depth == 0 ? 0 : Int(directory[Int((UInt64(hash) << depth) >> 32)])
  }

  /// Prefetches the first slot of a hash into the cache.
  func prefetch(hash: UInt32) { segments[segment(of: hash)].prefetch(hash) }

  /// The result of a search: the number of a key, or a vacant slot for it.
  enum Finding {
    case number(Int32)
    case vacancy(segment: Int, place: Int)
  }

  /// Finds the key with this hash that `matches` accepts, or a vacant slot for it.
  ///
  /// - Returns: The number of the key, or the vacant slot.
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

  /// Returns the number of the key with this hash that `matches` accepts, or nil.
  ///
  /// - Complexity: O(1) on average.
  public func find(hash: UInt32, matches: (Int32) -> Bool) -> Int32? {
    guard case .number(let node) = look(hash: hash, matches: matches) else { return nil }
    return node
  }

  /// Returns the content of the slot at which the probe for a hash starts.
  ///
  /// It may belong to a key with another hash. No other slot is read.
  func first(ofHash hash: UInt32) -> UInt64 {
    let segment = segment(of: hash)
    return segments[segment].slots[segments[segment].home(of: hash)]
  }

  /// Returns the number of the first key on the probe path that has this hash, or nil.
  ///
  /// `slot` is the content of the first slot of the path.
  ///
  /// - Complexity: O(1) on average.
  func candidate(forHash hash: UInt32, first slot: UInt64) -> Int32? {
    if slot == KeySegment.vacant { return nil }
    if UInt32(slot >> 32) == hash { return Int32(truncatingIfNeeded: slot & 0xFFFF_FFFF) - 1 }
    return find(hash: hash) { _ in true }
  }

  /// Adds a key at the vacant slot that a search returned.
  ///
  /// - Precondition: The table has not changed since the search.
  /// - Complexity: As for ``insert(_:hash:)``.
  mutating func insert(_ node: Int32, hash: UInt32, inSegment segment: Int, at place: Int) {
    if segments[segment].isFull { return insert(node, hash: hash) }
    segments[segment].place(UInt64(hash) << 32 | UInt64(node + 1), at: place)
    count += 1
  }

  /// Adds a key that is not in the table.
  ///
  /// - Complexity: O(1) on average; O(slots of a segment) in the worst case.
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

  /// Removes a key that is in the table and moves later ones back to close the gap.
  mutating func remove(_ node: Int32, hash: UInt32) {
    let segment = segment(of: hash)
    slotCount -= segments[segment].slots.count
    segments[segment].remove(UInt64(hash) << 32 | UInt64(node + 1))
    slotCount += segments[segment].slots.count
    count -= 1
    removedCount += 1
  }

  // MARK: Splitting

  /// Returns true if a segment can be split and the directory stays small enough.
  ///
  /// No split separates equal hashes. Many of them would double the directory again and again.
  private func canSplit(_ segment: Int) -> Bool {
    segments[segment].depth < min(depth, 31)
      || depth < 31 && 1 << depth <= Self.mostEntries * segments.count
  }

  /// The largest number of directory entries per segment up to which the directory is doubled.
  private static var mostEntries: Int { 4 }

  /// Splits a segment in two by the next bit of its hashes.
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

  /// Replaces node ids by their new ones, and adapts the size of the table to its keys.
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

  /// Reserves room for more keys, if there is only one segment yet.
  ///
  /// A larger table grows segment by segment as keys come.
  ///
  /// - Complexity: O(keys to come).
  public mutating func reserve(_ more: Int) {
    guard segments.count == 1 else { return }
    let needed = KeySegment.slots(for: count + more)
    guard needed > segments[0].slots.count else { return }
    let former = segments[0]
    // Segments are not filled evenly, so this leaves an eighth as a reserve.
    while needed / 8 * 9 > mostSlots << depth { depth += 1 }
    let room = (count + more) / 8 * 9 >> depth
    segments = (0..<(1 << depth)).map { _ in KeySegment(depth: depth, room: room) }
    slotCount = segments.reduce(0) { $0 + $1.slots.count }
    directory = depth == 0 ? [] : segments.indices.map { Int32($0) }
    for slot in former.slots where slot != KeySegment.vacant { insert(slot) }
  }
}

/// Returns the hash of bytes under a secret of the process, so that clients cannot choose
/// collisions.
///
/// - Complexity: O(bytes).
public func seededHash(of bytes: Span<UInt8>) -> Int {
  var hasher = Hasher()
  unsafe bytes.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
  return hasher.finalize()
}
