extension Dictionary {
  /// Gives back room, where most of it is that of entries that are gone.
  ///
  /// - Complexity: O(entries) where it does, else O(1).
  mutating func giveBackRoom() {
    // What a filter makes is as large as what it lets through.
    if count * 4 < capacity { self = filter { _ in true } }
  }
}
