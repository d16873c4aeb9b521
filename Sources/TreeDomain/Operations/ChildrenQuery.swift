/// A query for a range of a node's children, expanded or not, or of the roots.
package struct ChildrenQuery: Equatable, Sendable {
  /// The parent's key; `nil` for the roots.
  package var parent: [UInt8]?
  /// The section whose roots are read; `nil` for all roots.
  ///
  /// It has no effect on the children of a node.
  package var section: [UInt8]?
  /// The positions, from 0 on.
  ///
  /// The range is cut off at the last child.
  package var range: Range<Int>
  /// The options of the read.
  package var options: ReadOptions

  /// Makes a query.
  package init(
    of parent: [UInt8]?,
    section: [UInt8]? = nil,
    _ range: Range<Int>,
    _ options: ReadOptions = ReadOptions()
  ) {
    self.parent = parent
    self.section = section
    self.range = range
    self.options = options
  }
}
