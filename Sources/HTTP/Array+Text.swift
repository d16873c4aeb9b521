extension Array where Element == UInt8 {
  /// Appends a constant directly from the program's memory, without creating a `String`.
  mutating func append(_ text: StaticString) {
    unsafe append(
      contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
    )
  }
}
