import TreeDomain

extension BatchAnswer {
  /// About how many bytes it holds.
  var weight: Int {
    // Arrays have room for a quarter more than they hold, on average.
    256 + (arena.count + rows.text.count) * 5 / 4 + 80 * changes.count + 8 * rows.count
  }
}
