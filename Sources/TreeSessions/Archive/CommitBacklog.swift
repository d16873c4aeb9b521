/// The works that were taken from the queue and are not written yet.
///
/// A commit holds about ``commitBytes``, so that a short work of one tree waits for the long works
/// of another for one commit at most. Works of one tree stay in order. A work of no tree stays
/// behind all works before it, and in front of all works after it.
struct CommitBacklog {
  private var works: [CommitWork] = []
  /// The text of short entries among the newest works.
  private var text: [UInt8] = []
  /// True if the last commit left out the first work: the next one has it, however long it is.
  private var isFirstDue = false
  /// The number of works that are tried one by one, as one of them was refused.
  private var apart = 0

  /// The number of bytes that commits hold, unless the first work is longer.
  static let commitBytes = 1 << 20

  /// True if nothing is left to be written.
  var isEmpty: Bool { works.isEmpty }

  /// Appends works behind those that are left.
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
        // The others do not wait for the next commit because the first work is long.
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

  /// Puts back works that storage refused, to be tried one by one.
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
  mutating func takeAll() -> [CommitWork] {
    defer { self = CommitBacklog() }
    return works
  }

  private mutating func detach() {
    for place in works.indices { works[place].detach(from: text) }
  }
}
