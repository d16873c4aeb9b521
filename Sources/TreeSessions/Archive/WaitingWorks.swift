import JSON
import TreeDomain

/// What waits to be written.
///
/// Short entries are written into one text here and now, by the thread that has them at hand:
/// memory that one thread asks for and another one lets go of has both wait for each other in the
/// allocator, which took a loop longer than to write an entry.
struct WaitingWorks {
  private var works: [CommitWork] = []
  private var text = JSONWriter()

  var isEmpty: Bool { works.isEmpty }
  var count: Int { works.count }

  /// How long a request may be to be written here.
  static let shortBytes = 4_096
  /// How many works there is room for at once, and how much text: as many as there were last time,
  /// within bounds.
  private var usualCount = 16
  private var usualBytes = 4_096

  /// Adds work.
  mutating func append(_ work: consuming CommitWork) {
    if works.isEmpty { works.reserveCapacity(usualCount) }
    works.append(work)
  }

  /// Gives an entry its text.
  ///
  /// - Parameters:
  ///   - entry: What the entry says.
  ///   - encoded: Its text, where it is made already.
  ///   - bytes: About how many it takes.
  /// - Returns: Where the text is.
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

  /// Takes what was done to a tree.
  mutating func take(of tree: LockedTree?) -> [CommitWork] {
    guard let tree else { return [] }
    defer { works.removeAll { $0.tree === tree } }
    return works.filter { $0.tree === tree }
  }

  /// Takes all of it, and the text in which short entries are.
  mutating func takeAll() -> (works: [CommitWork], text: [UInt8]) {
    usualCount = min(max(works.count, 16), 256)
    usualBytes = min(max(text.count, 4_096), 65_536)
    defer { works = [] }
    return (works, text.finish())
  }
}
