import TreeDomain
import TreeEngine

/// Turns the engine's rows into those of an answer.
struct RowWriting: ~Copyable {
  var arena = AnswerArena()
  private let fields: RowFields
  private let places: SectionRows
  private let isSectioned: Bool
  /// The section that the last row was in, and its name.
  private var lastSection: (index: Int, name: ByteSlice)?

  init(_ fields: RowFields, _ places: SectionRows) {
    self.fields = fields
    self.places = places
    isSectioned = places.sections.isShown
  }

  /// A row as it is answered; the strings of members that are not wanted stay empty.
  mutating func row(_ row: ViewRow, in manager: borrowing TreeManager) -> Row {
    let none = ByteSlice(offset: 0, count: 0)
    let location = row.index.map { places.location(of: $0) }
    var answer = Row(
      index: location?.row,
      key: fields.contains(.key) ? arena.key(of: row.node, in: manager) : none,
      parent: fields.contains(.parent) ? arena.key(ofParent: row.parent, in: manager) : nil,
      depth: row.depth - 1,
      position: row.position,
      siblingCount: row.siblingCount,
      isExpanded: row.isExpanded,
      childState: row.childState,
      childCount: row.childCount,
      visibleDescendantCount: row.visibleDescendantCount,
      object: fields.contains(.object) ? arena.object(of: row.node, in: manager) : none
    )
    answer.isSelected = row.isSelected
    answer.isMatched = row.isMatched
    if isSectioned, fields.contains(.section) || fields.contains(.sectionRow) {
      answer.section = name(
        ofSection: location?.section ?? manager.sectionIndex(of: row.node)
      )
      answer.sectionRow = location?.sectionRow
    }
    return answer
  }

  /// The name of a section; neighbouring rows mostly are in the same.
  mutating func name(ofSection index: Int) -> ByteSlice {
    if let lastSection, lastSection.index == index { return lastSection.name }
    let name = arena.append(places.sections.all[index].name[...])
    lastSection = (index, name)
    return name
  }
}
