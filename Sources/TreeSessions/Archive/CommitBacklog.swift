import TreeDomain

/// The works that were taken from the queue and are not written yet.
///
/// A commit has about ``commitBytes``, so that a short work waits for at most one commit with long
/// works of other trees. A longer entry is written ahead in parts, with commits in between, if
/// storage can do that. Works of the same tree stay in order. A work of no tree stays after all
/// earlier works. Nothing depends on it, so works of trees need not wait for it.
struct CommitBacklog {
  private var works: [CommitWork] = []
  /// The text of short entries among the newest works.
  private var text: [UInt8] = []
  /// True if the last commit skipped the first work.
  ///
  /// The next commit must contain it.
  private var isFirstDue = false
  /// The number of works at the front that are written separately, because one of them was refused.
  private var apart = 0

  /// The number of bytes of the next part of a long entry.
  private var partBytes = Self.partSizes.lowerBound

  /// The maximum number of bytes in a commit, unless its first work is longer.
  static let commitBytes = 1 << 20
  /// The number of bytes of a long entry that are written at a time.
  ///
  /// The least while works of other trees wait in between. Otherwise each part is twice as long as
  /// the one before, because a part waits for the disk as long as a short commit.
  static let partSizes = 1 << 19...1 << 22

  /// True if no work is left.
  var isEmpty: Bool { works.isEmpty }

  /// Appends works.
  ///
  /// - Parameters:
  ///   - newer: The works.
  ///   - text: The text of their short entries.
  mutating func append(_ newer: [CommitWork], _ text: [UInt8]) {
    guard !newer.isEmpty else { return }
    if works.isEmpty {
      (works, self.text) = (newer, text)
    } else {
      detach()
      works += newer
      self.text = text
    }
  }

  /// Removes and returns the works of the next commit, with the text of their short entries.
  ///
  /// There may be none if a long entry is being written ahead.
  ///
  /// - Precondition: There are works.
  /// - Complexity: O(*n*) for *n* works.
  mutating func next() -> (works: [CommitWork], text: [UInt8]) {
    guard apart == 0 else {
      apart -= 1
      return ([works.removeFirst()], text)
    }
    var bytes = 0
    for place in works.indices { bytes += works[place].bytesToCommit }
    guard bytes > Self.commitBytes else {
      isFirstDue = false
      defer { works = [] }
      return (works, text)
    }
    let chosen = choose()
    if !chosen.isEmpty { partBytes = Self.partSizes.lowerBound }
    guard chosen.isEmpty, !works[0].waitsForParts else { return (chosen, text) }
    isFirstDue = false
    return ([works.removeFirst()], text)
  }

  private mutating func choose() -> [CommitWork] {
    var chosen: [CommitWork] = []
    var left: [CommitWork] = []
    var bytes = 0
    var held: Set<ObjectIdentifier> = []
    var isDeletionLeft = false
    for (place, work) in works.enumerated() {
      let tree = work.sequence.map { ObjectIdentifier($0) }
      let waits = work.waitsForParts
      let isOutOfOrder = tree.map { held.contains($0) } ?? !left.isEmpty
      // Two trees may have the same id, if the first one is deleted before the second is made.
      let isHeld = waits || isOutOfOrder || isDeletionLeft && work.makesTree
      let isDue = place == 0 && isFirstDue && !waits
      if isDue || !isHeld && bytes + work.bytesToCommit <= Self.commitBytes {
        chosen.append(work)
        // A long first work does not count, so that it delays no others.
        if !isDue { bytes += work.bytesToCommit }
      } else {
        if let tree { held.insert(tree) }
        isDeletionLeft = isDeletionLeft || work.deletesTree
        left.append(work)
      }
    }
    guard !chosen.isEmpty else { return [] }
    isFirstDue = !left.isEmpty
    works = left
    return chosen
  }

  // MARK: Long entries

  /// Writes a part of a long entry ahead of its commit, if there is one.
  ///
  /// - Parameter write: Writes a part of a number of bytes, and returns true if there is more.
  /// - Throws: The error of `write`.
  /// - Complexity: O(*n*) for *n* works, besides writing.
  mutating func writeAhead(
    _ write: (StoredEntry, TreeNumber, _ bytes: Int) throws(StorageError) -> Bool
  ) throws(StorageError) {
    guard apart == 0, let place = longWork() else { return }
    works[place].entry?.encode(text)
    guard let entry = works[place].entry else { return }
    let hasMore = try write(entry.stored(text), entry.tree, partBytes)
    partBytes = min(2 * partBytes, Self.partSizes.upperBound)
    if hasMore {
      works[place].ahead = .begun
    } else {
      works[place].ahead = works[place].ahead == .begun ? .done : .left
    }
  }

  /// Returns the place of the work whose entry is to be written ahead.
  ///
  /// It is the work that has begun, or else the first long one that waits for no other work of its
  /// tree.
  private func longWork() -> Int? {
    var first: Int?
    var trees: Set<ObjectIdentifier> = []
    for place in works.indices {
      if works[place].ahead == .begun { return place }
      let isFirst = works[place].sequence.map { trees.insert(ObjectIdentifier($0)).inserted }
      if first == nil, works[place].waitsForParts, isFirst == true { first = place }
    }
    return first
  }

  /// Removes and returns the work whose entry is being written ahead.
  mutating func popLongWork() -> CommitWork? { longWork().map { works.remove(at: $0) } }

  /// Puts back works that storage refused, to be written separately.
  mutating func tryApart(_ refused: [CommitWork]) {
    works = refused + works
    apart = refused.count
  }

  /// Removes and returns the works of a tree.
  mutating func take(of tree: LockedTree?) -> [CommitWork] {
    guard let tree else { return [] }
    let taken = works.filter { $0.tree === tree }
    apart = max(0, apart - works.prefix(apart).count { $0.tree === tree })
    works.removeAll { $0.tree === tree }
    return taken
  }

  /// Removes and returns all works.
  mutating func popAll() -> [CommitWork] {
    defer { self = CommitBacklog() }
    return works
  }

  private mutating func detach() {
    for place in works.indices { works[place].detach(from: text) }
  }
}
