import TreeDomain
import TreeEngine

// Between the rows of the contract and those of the engine, where sections are rows, too.
extension TreeManager {
  /// How many rows a session has.
  func rowCount(of session: OpenSession) -> Int {
    tree.rowCount(of: session.view) - sections.all.count
  }

  /// Where the sections are among a session's rows.
  ///
  /// - Parameters:
  ///   - session: The session.
  ///   - showsAll: True if it is asked of a section that is nameless and alone, too, whether it is
  ///     expanded.
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

  /// The engine's rows of consecutive rows, with the sections between them.
  ///
  /// - Precondition: there are so many rows from `offset` on.
  func engineRows(from offset: Int, count: Int, _ places: SectionRows) -> Range<Int> {
    guard count > 0 else { return 0..<0 }
    let first = places.engineRow(of: offset)
    let last = places.engineRow(of: offset + count - 1)
    return first..<(last + 1)
  }

  /// The contract's index of a node, or nil while it is hidden.
  func rowIndex(of node: NodeID, in session: OpenSession, _ places: SectionRows) -> Int? {
    tree.rowIndex(of: node, in: session.view).map { places.location(of: $0).row }
  }
}
