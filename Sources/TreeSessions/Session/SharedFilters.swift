import JSON
import TreeDomain

/// A filter of one session or more, told from others by identity.
final class SharedFilter: Sendable {
  let filter: Filter

  init(_ filter: Filter) { self.filter = filter }
}

/// The filters of a tree's sessions, each of which is there once however many sessions have it.
struct SharedFilters {
  private struct Entry {
    weak var filter: SharedFilter?
  }

  /// The filters by their text.
  private var entries: [[UInt8]: Entry] = [:]
  /// With more entries, those of filters that no session has are removed.
  private var mostEntries = 16

  /// Returns the filter that sessions with an equal one share.
  ///
  /// - Complexity: O(length of the filter) on average.
  mutating func share(_ filter: Filter) -> SharedFilter {
    var writer = JSONWriter()
    filter.write(to: &writer)
    let text = writer.finish()
    if let known = entries[text]?.filter { return known }
    if entries.count >= mostEntries {
      entries = entries.filter { $0.value.filter != nil }
      mostEntries = max(16, 2 * entries.count)
    }
    let shared = SharedFilter(filter)
    entries[text] = Entry(filter: shared)
    return shared
  }
}
