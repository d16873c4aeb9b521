extension Array {
  /// Removes all elements, and keeps the capacity if it is at most `count`.
  ///
  /// - Complexity: O(*n*).
  @inline(__always)
  mutating func removeAll(keepingRoomFor count: Int) {
    guard capacity <= count else { return self = [] }
    // Mostly there is one element. Removing it costs a third of replacing the array.
    while !isEmpty { removeLast() }
  }
}
