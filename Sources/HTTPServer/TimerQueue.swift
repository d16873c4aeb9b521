/// Times at which connections want to be looked at, earliest first: a binary heap.
///
/// Entries are not removed. A connection whose time has moved away is looked at in vain and entered
/// again; one whose time stays far ahead, as with keep-alive, costs one entry however many
/// requests it serves.
struct TimerQueue {
  private struct Entry {
    let milliseconds: Int
    let token: EventToken
  }

  private var entries: [Entry] = []

  /// The earliest time, nil if there is none.
  var next: Int? { entries.first?.milliseconds }

  /// Adds a time.
  ///
  /// O(log count).
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

  /// Takes the earliest entry if its time has come.
  ///
  /// O(log count).
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
