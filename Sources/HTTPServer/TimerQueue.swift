/// A binary heap of the times at which connections need attention, earliest first.
///
/// Entries are not updated or removed. If a connection's deadline has moved, its entry expires
/// without effect and is inserted again. A deadline that keeps moving, as with keep-alive, thereby
/// costs one entry for any number of requests.
struct TimerQueue {
  private struct Entry {
    let milliseconds: Int
    let token: EventToken
  }

  private var entries: [Entry] = []

  /// The earliest time, or nil if the queue is empty.
  var next: Int? { entries.first?.milliseconds }

  /// Inserts a time.
  ///
  /// - Complexity: O(log count).
  mutating func insert(_ token: EventToken, at milliseconds: Int) {
    entries.append(Entry(milliseconds: milliseconds, token: token))
    var child = entries.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard entries[child].milliseconds < entries[parent].milliseconds else { return }
      entries.swapAt(child, parent)
      child = parent
    }
  }

  /// Removes and returns the earliest entry if it is due.
  ///
  /// - Complexity: O(log count).
  mutating func popDue(now: Int) -> (token: EventToken, milliseconds: Int)? {
    guard let first = entries.first, first.milliseconds <= now else { return nil }
    entries.swapAt(0, entries.count - 1)
    entries.removeLast()
    var parent = 0
    while true {
      var least = parent
      for child in [2 * parent + 1, 2 * parent + 2] where child < entries.count {
        if entries[child].milliseconds < entries[least].milliseconds { least = child }
      }
      guard least != parent else { break }
      entries.swapAt(parent, least)
      parent = least
    }
    return (first.token, first.milliseconds)
  }
}
