import TreeDomain

extension BatchAnswer {
  /// The approximate memory of the answer in bytes.
  var weight: Int {
    // On average, the capacity of an array exceeds its count by a quarter.
    256 + (arena.count + rows.text.count) * 5 / 4 + 80 * changes.count + 8 * rows.count
  }
}
