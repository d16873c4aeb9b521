extension Array where Element == UInt8 {
  /// Appends a constant as it stands in the program: nothing is made of it first, nor counted.
  mutating func append(_ text: StaticString) {
    unsafe append(
      contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
    )
  }
}
