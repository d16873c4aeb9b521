import TreeDomain
import TreeEngine

// Conversion between rows of the contract and rows of the engine, which include sections.
extension TreeManager {
  /// Returns the number of rows of a session.
  func rowCount(of session: OpenSession) -> Int {
    tree.rowCount(of: session.view) - sections.all.count
  }

  /// Returns the sections among a session's rows.
  ///
  /// - Parameters:
  ///   - session: The session.
  ///   - showsAll: True if the expansion of an only and nameless section is needed as well.
  /// - Returns: The sections with their rows.
  /// - Complexity: O(*s* log *n*) for *s* sections, O(1) for one.
  func sectionRows(of session: OpenSession, showsAll: Bool = false) -> SectionRows {
    if !sections.isShown, !showsAll { return SectionRows(sections, headers: [0]) }
    return SectionRows(
      sections,
      headers: sections.all.map { section in
        guard let row = tree.rowIndex(of: section.node, in: session.view) else {
          preconditionFailure("nothing is above a section that could hide it")
        }
        return row
      },
      isExpanded: sections.all.map { tree.isExpanded($0.node, in: session.view) }
    )
  }

  /// Returns the engine's rows of adjacent rows, including the sections between them.
  ///
  /// - Precondition: There are `count` rows from `offset` on.
  func engineRows(from offset: Int, count: Int, _ places: SectionRows) -> Range<Int> {
    guard count > 0 else { return 0..<0 }
    let first = places.engineRow(of: offset)
    let last = places.engineRow(of: offset + count - 1)
    return first..<(last + 1)
  }

  /// Returns the index of a node's row; nil if the node is hidden.
  func rowIndex(of node: NodeID, in session: OpenSession, _ places: SectionRows) -> Int? {
    tree.rowIndex(of: node, in: session.view).map { places.location(of: $0).row }
  }
}
