import JSON
import TreeDomain

/// The works that wait to be written.
///
/// The calling thread writes short entries into one common text. If one thread allocated them and
/// another one freed them, both would contend in the allocator. On an event loop, that took longer
/// than to encode an entry.
struct WaitingWorks {
  private var works: [CommitWork] = []
  private var text = JSONWriter()

  var isEmpty: Bool { works.isEmpty }
  var count: Int { works.count }

  /// The maximum size of a request in bytes whose entry is encoded here.
  static let shortBytes = 4_096
  /// The initial capacities, which are the counts of last time within limits.
  private var usualCount = 16
  private var usualBytes = 4_096

  /// Appends a work.
  mutating func append(_ work: consuming CommitWork) {
    if works.isEmpty { works.reserveCapacity(usualCount) }
    works.append(work)
  }

  /// Returns the text of an entry.
  ///
  /// Encodes it if it is short.
  ///
  /// - Parameters:
  ///   - entry: The entry.
  ///   - encoded: The encoded entry, if the caller has it.
  ///   - bytes: The approximate size of the entry.
  /// - Returns: The text, or its range in the common text.
  mutating func place(
    _ entry: JournalEntry,
    _ encoded: [UInt8]?,
    _ bytes: Int
  ) -> CommitWork.Text {
    if let encoded { return .long(encoded) }
    guard bytes <= Self.shortBytes else { return .entry(entry) }
    if text.count == 0 { text.reserve(usualBytes) }
    let start = text.count
    entry.write(to: &text)
    let end = text.count
    text.endLine()
    return .short(start..<end)
  }

  /// Removes and returns the works of a tree.
  mutating func take(of tree: LockedTree?) -> [CommitWork] {
    guard let tree else { return [] }
    defer { works.removeAll { $0.tree === tree } }
    return works.filter { $0.tree === tree }
  }

  /// Removes and returns all works, with the text of their short entries.
  mutating func popAll() -> (works: [CommitWork], text: [UInt8]) {
    usualCount = min(max(works.count, 16), 256)
    usualBytes = min(max(text.count, 4_096), 65_536)
    defer { works = [] }
    return (works, text.finish())
  }
}
