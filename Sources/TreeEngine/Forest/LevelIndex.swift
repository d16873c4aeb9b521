/// An index that counts the entries of a forest up to a given depth.
///
/// These are the entries that ``ExpansionRule/levels(_:)`` shows.
///
/// A range-min-max tree counts the entries of minimal depth in a range, not those up to a given
/// depth. So this index stores, for each leaf of the forest's sequence, the number of entries up to
/// the given depth. Inside a leaf they are counted by a scan. One index serves all views with the
/// same rule.
struct LevelIndex<Width: NodeWidth>: Sendable {
  /// A leaf of the forest's sequence.
  struct Part: RangeMinItem, Equatable {
    /// The leaf.
    var owner: Int32
    /// The number of counted entries in the leaf.
    var count: Int32

    var summary: Summary {
      Summary(count: count, sum: 0, minimum: Summary.none, minimumCount: 0)
    }
    static var isOnlyCounted: Bool { true }
    static var filler: Part { Part(owner: -1, count: 0) }
  }

  private typealias Parts = RangeMinTree<Part, Width>

  /// The greatest depth of counted entries.
  ///
  /// The forest root has 0.
  let deepest: Int32
  private var parts = Parts()
  private var root: Parts.Root

  /// Builds the index.
  ///
  /// - Complexity: O(*n* / fan-out + *e*) for *e* entries in leaves that have counted entries.
  init(deepest: Int32, of forest: borrowing Forest<Width>) {
    self.deepest = deepest
    let first = forest.sequence.first(in: forest.root).leaf
    // No copy of a new array exists yet.
    parts.setSole(true)
    root = parts.build(Self.parts(of: forest, from: first, through: nil, deepest: deepest))
    parts.setSole(false)
  }

  /// Makes the parts of consecutive leaves, up to `last` or to the end.
  private static func parts(
    of forest: borrowing Forest<Width>,
    from first: Int32,
    through last: Int32?,
    deepest: Int32
  ) -> [Part] {
    var parts: [Part] = []
    var depth = forest.sequence.rank(leaf: first, slot: 0).sum
    var next: Int32? = first
    while let leaf = next {
      let summary = forest.sequence.summary(ofLeaf: leaf)
      let isDeeper = depth + summary.minimum > deepest
      let count = isDeeper ? 0 : Self.count(forest, in: leaf, before: summary.count, depth, deepest)
      parts.append(Part(owner: leaf, count: count))
      depth += summary.sum
      next = leaf == last ? nil : forest.sequence.leaf(after: leaf)
    }
    return parts
  }

  /// Returns the number of counted entries before a position of the forest.
  ///
  /// - Complexity: O(log *n*).
  func count(before position: Int32, in forest: borrowing Forest<Width>) -> Int32 {
    guard position < forest.entryCount else { return parts.summary(of: root).count }
    let (leaf, slot, depth) = forest.sequence.leaf(at: position, in: forest.root)
    let part = parts.slot(ofOwner: leaf)
    return parts.rank(leaf: part.leaf, slot: part.slot).count
      + Self.count(forest, in: leaf, before: Int32(slot), depth, deepest)
  }

  /// Returns the place of the `index`-th counted entry.
  ///
  /// - Precondition: There are more than `index` counted entries.
  /// - Complexity: O(log *n*).
  func place(at index: Int32, in forest: borrowing Forest<Width>) -> Forest<Width>.Place {
    let cursor = parts.last(in: root, startingAtOrBefore: index)
    let leaf = parts.item(cursor).owner
    let (position, sum, _) = forest.sequence.rank(leaf: leaf, slot: 0)
    var rest = index - cursor.prefix.count
    var place = Forest<Width>.Place(leaf: leaf, slot: 0, position: position, depth: sum)
    while true {
      place.depth += forest.entry(at: place).step
      if place.depth <= deepest {
        if rest == 0 { return place }
        rest -= 1
      }
      place.slot += 1
      place.position += 1
    }
  }

  /// The size of the index in bytes.
  ///
  /// - Complexity: O(1).
  var byteCount: Int { parts.byteCount }

  /// Returns the size of an index of a forest with a number of leaves, in bytes.
  static func byteCount(ofLeaves count: Int) -> Int { Parts.byteCount(ofItems: count) }

  // MARK: Following the forest

  /// The number of leaves that a change of entries can affect on each side of it.
  ///
  /// A leaf is split at the change, and the rest of it can be merged with a neighbour or filled up
  /// from it.
  private static var reach: Int { 2 }

  /// Updates the index after entries were inserted into or removed from the forest.
  ///
  /// - Parameters:
  ///   - start: The first changed position.
  ///   - end: The position after the inserted entries, or `start` after a removal.
  ///   - forest: The changed forest.
  /// - Complexity: O(log *n*), and the cost of counting the inserted or removed leaves.
  mutating func follow(from start: Int32, to end: Int32, in forest: borrowing Forest<Width>) {
    let lastPosition = forest.entryCount - 1
    var first = forest.sequence.leaf(at: min(start, lastPosition), in: forest.root).leaf
    var last = forest.sequence.leaf(at: min(end, lastPosition), in: forest.root).leaf
    for _ in 0..<Self.reach {
      first = forest.sequence.leaf(before: first) ?? first
      last = forest.sequence.leaf(after: last) ?? last
    }
    let new = Self.parts(of: forest, from: first, through: last, deepest: deepest)
    let left = forest.sequence.leaf(before: first)
    let right = forest.sequence.leaf(after: last)
    if !recount(new, after: left, before: right) { replace(with: new, after: left, before: right) }
  }

  /// Updates the counts of the leaves between two others, if these are the same leaves as before.
  ///
  /// - Returns: False if they are other leaves; the caller then replaces them.
  private mutating func recount(_ new: [Part], after left: Int32?, before right: Int32?) -> Bool {
    var next =
      if let left { parts.next(parts.cursor(ofOwner: left)) } else { parts.first(in: root) }
    for part in new {
      guard let cursor = next, case let old = parts.item(cursor), old.owner == part.owner else {
        return false
      }
      next = parts.next(cursor)
      guard old.count != part.count else { continue }
      parts[cursor.leaf, cursor.slot] = part
      parts.refresh(changed: cursor.leaf)
    }
    return next.map { parts.item($0).owner } == right
  }

  /// Replaces the leaves between two others.
  private mutating func replace(with new: [Part], after left: Int32?, before right: Int32?) {
    var (head, tail): (Parts.Root?, Parts.Root?) = (nil, nil)
    var middle = root
    if let left {
      let place = parts.slot(ofOwner: left)
      let halves = parts.split(leaf: place.leaf, slot: place.slot + 1)
      (head, middle) = (halves.left, halves.right)
    }
    if let right {
      let place = parts.slot(ofOwner: right)
      let halves = parts.split(leaf: place.leaf, slot: place.slot)
      (middle, tail) = (halves.left, halves.right)
    }
    parts.release(middle)
    root = parts.build(new)
    if let head { root = parts.join(head, root) }
    if let tail { root = parts.join(root, tail) }
  }

  /// Compares the index with a new one.
  ///
  /// For tests.
  func checkInvariants(in forest: borrowing Forest<Width>) {
    parts.checkInvariants(of: root)
    let fresh = LevelIndex(deepest: deepest, of: forest)
    var next: Parts.Cursor? = parts.first(in: root)
    var expected: Parts.Cursor? = fresh.parts.first(in: fresh.root)
    while let cursor = next, let other = expected {
      precondition(parts.item(cursor) == fresh.parts.item(other), "a level index is stale")
      next = parts.next(cursor)
      expected = fresh.parts.next(other)
    }
    precondition(next == nil && expected == nil, "a level index has other leaves")
  }

  /// Counts the first entries of a leaf that are not deeper than a depth.
  ///
  /// - Parameters:
  ///   - forest: The forest.
  ///   - leaf: A leaf of the sequence.
  ///   - end: The number of its entries to scan.
  ///   - depthBefore: The depth of the entry before the first.
  ///   - deepest: The greatest depth to count.
  /// - Returns: The number of these entries.
  private static func count(
    _ forest: borrowing Forest<Width>,
    in leaf: Int32,
    before end: Int32,
    _ depthBefore: Int32,
    _ deepest: Int32
  ) -> Int32 {
    let entries = forest.sequence.entries(of: leaf).extracting(first: Int(end))
    var depth = depthBefore
    var count: Int32 = 0
    for slot in entries.indices {
      depth &+= entries[slot].step
      count &+= depth <= deepest ? 1 : 0
    }
    return count
  }
}
