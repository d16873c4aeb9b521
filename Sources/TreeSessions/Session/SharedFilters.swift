import JSON
import TreeDomain

/// A filter that sessions share, identified by reference.
final class SharedFilter: Sendable {
  let filter: Filter

  init(_ filter: Filter) { self.filter = filter }
}

/// The filters of a tree's sessions.
///
/// Equal filters exist once.
struct SharedFilters {
  private struct Entry {
    weak var filter: SharedFilter?
  }

  /// The filters by their text.
  private var entries: [[UInt8]: Entry] = [:]
  /// The number of entries at which those of unused filters are removed.
  private var mostEntries = 16

  /// Returns the shared instance of a filter.
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
