extension Dictionary {
  /// Frees memory if less than a quarter of the capacity is used.
  ///
  /// - Complexity: O(entries) if it frees memory, otherwise O(1).
  mutating func giveBackRoom() {
    // The result of a filter has just the capacity that it needs.
    if count * 4 < capacity { self = filter { _ in true } }
  }
}
