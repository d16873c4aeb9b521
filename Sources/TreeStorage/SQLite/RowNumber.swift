internal import TreeDomain

/// The numbers of rows, which combine the number of a tree or snapshot with that of its entry or
/// part.
enum RowNumber {
  /// The highest number of a tree.
  static let lastTree = 1 << 27 - 1
  /// The highest number of an entry.
  static let lastEntry = 1 << 36 - 1
  /// The highest number of a part.
  static let lastPart = 1 << 20 - 1

  static func entry(_ number: Int, of tree: TreeNumber) -> Int { tree.value << 36 | number }

  /// Returns the tree whose entry has a row number.
  static func tree(at place: Int) -> TreeNumber { TreeNumber(place >> 36) }

  static func part(_ index: Int, of snapshot: Int) -> Int { snapshot << 20 | index }

  /// Returns the snapshot whose part has a row number.
  static func snapshot(at place: Int) -> Int { place >> 20 }
}
