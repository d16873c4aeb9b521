extension Array {
  /// Removes all elements, and keeps the room for them if that is for so many at most.
  ///
  /// - Complexity: O(*n*).
  @inline(__always)
  mutating func removeAll(keepingRoomFor count: Int) {
    guard capacity <= count else { return self = [] }
    // Mostly there is one: taking it out costs a third of replacing all of them by nothing.
    while !isEmpty { removeLast() }
  }
}
