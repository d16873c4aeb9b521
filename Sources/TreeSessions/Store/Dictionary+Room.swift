extension Dictionary {
  /// Frees memory if less than a quarter of the capacity is used.
  ///
  /// - Complexity: O(entries) if it frees memory, otherwise O(1).
  mutating func giveBackRoom() {
    guard count * 4 < capacity else { return }
    var packed = Dictionary(minimumCapacity: count)
    for (key, value) in self { packed[key] = value }
    self = packed
  }
}
