/// The works that were taken from the queue and are not written yet.
///
/// A commit has about ``commitBytes``, so that a short work waits for at most one commit with long
/// works of other trees. Works of the same tree stay in order. A work of no tree stays after all
/// earlier works and before all later ones.
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

  /// The maximum number of bytes in a commit, unless its first work is longer.
  static let commitBytes = 1 << 20

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
  /// - Precondition: There are works.
  /// - Complexity: O(*n*) for *n* works.
  mutating func next() -> (works: [CommitWork], text: [UInt8]) {
    guard apart == 0 else {
      apart -= 1
      return ([works.removeFirst()], text)
    }
    var bytes = 0
    for place in works.indices { bytes += works[place].bytes }
    guard bytes > Self.commitBytes else {
      isFirstDue = false
      defer { works = [] }
      return (works, text)
    }
    return (choose(), text)
  }

  private mutating func choose() -> [CommitWork] {
    var chosen: [CommitWork] = []
    var left: [CommitWork] = []
    var bytes = 0
    var held: Set<ObjectIdentifier> = []
    for (place, work) in works.enumerated() {
      let tree = work.sequence.map { ObjectIdentifier($0) }
      let isHeld = tree.map { held.contains($0) } ?? !left.isEmpty
      let isDue = place == 0 && isFirstDue
      if isDue || !isHeld && bytes + work.bytes <= Self.commitBytes {
        chosen.append(work)
        // A long first work does not count, so that it delays no others.
        if !isDue { bytes += work.bytes }
      } else if let tree {
        held.insert(tree)
        left.append(work)
      } else {
        left += works[place...]
        break
      }
    }
    guard !chosen.isEmpty else {
      isFirstDue = false
      return [works.removeFirst()]
    }
    isFirstDue = !left.isEmpty
    works = left
    return chosen
  }

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
