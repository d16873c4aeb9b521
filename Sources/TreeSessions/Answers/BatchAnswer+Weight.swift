import TreeDomain

extension BatchAnswer {
  /// About how many bytes it holds.
  var weight: Int { 256 + arena.count + 80 * changes.count + rows.text.count + 8 * rows.count }
}
