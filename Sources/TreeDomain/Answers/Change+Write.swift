import JSON
import TreeEngine

extension Change {
  /// Writes the entry as an object, in the form the contract has for the format.
  func write(to writer: inout JSONWriter, of answer: BatchAnswer) {
    writer.beginObject()
    writer.name("type")
    writeKind(to: &writer, from: answer.arena, isRun: answer.format == .ranges)
    if !rows.isEmpty {
      writeRows(to: &writer, of: answer)
    }
    writer.endObject()
  }

  private func writeKind(to writer: inout JSONWriter, from arena: [UInt8], isRun: Bool) {
    switch kind {
    case .delete(let index):
      writer.string("delete" as StaticString)
      writeWhere(index, nil, to: &writer, from: arena, isRun: isRun)
    case .insert(let newIndex):
      writer.string("insert" as StaticString)
      writeWhere(nil, newIndex, to: &writer, from: arena, isRun: isRun)
      writePlace(to: &writer, from: arena)
    case .move(let index, let newIndex):
      writer.string("move" as StaticString)
      writeWhere(index, newIndex, to: &writer, from: arena, isRun: isRun)
      writePlace(to: &writer, from: arena)
    case .update(let index, let newIndex, let fields):
      writer.string("update" as StaticString)
      writeWhere(index, newIndex, to: &writer, from: arena, isRun: isRun)
      writer.name("fields")
      fields.write(to: &writer)
    case .deleteSection, .insertSection, .moveSection, .updateSection:
      writeSection(to: &writer, from: arena)
      return
    }
    writeSectionPlaces(to: &writer, from: arena)
  }

  private func writeSection(to writer: inout JSONWriter, from arena: [UInt8]) {
    switch kind {
    case .deleteSection(let name, let index):
      writer.string("deleteSection" as StaticString)
      writer.section(arena[name.range], index, nil)
    case .insertSection(let insertion):
      writer.string("insertSection" as StaticString)
      writer.section(arena[insertion.section.range], nil, insertion.newIndex)
      if insertion.wasNameless {
        writer.name("from")
        writer.string("" as StaticString)
      }
      writer.name("expanded")
      writer.boolean(insertion.isExpanded)
    case .moveSection(let name, let index, let newIndex):
      writer.string("moveSection" as StaticString)
      writer.section(arena[name.range], index, newIndex)
    case .updateSection(let update):
      writer.string("updateSection" as StaticString)
      writer.section(arena[update.section.range], update.index, update.newIndex)
      update.writeFields(to: &writer, from: arena)
    case .delete, .insert, .move, .update:
      preconditionFailure("entries of rows are written elsewhere")
    }
  }

  private func writeSectionPlaces(to writer: inout JSONWriter, from arena: [UInt8]) {
    if let place {
      writer.name("section")
      writer.string(arena[place.section.range])
      writer.name("sectionRow")
      writer.integer(place.row)
    }
    if let formerPlace {
      writer.name("fromSection")
      writer.string(arena[formerPlace.section.range])
      writer.name("fromSectionRow")
      writer.integer(formerPlace.row)
    }
  }

  private func writeWhere(
    _ index: Int?,
    _ newIndex: Int?,
    to writer: inout JSONWriter,
    from arena: [UInt8],
    isRun: Bool
  ) {
    if let names {
      writer.name("key")
      writer.string(arena[names.key.range])
    }
    if let index {
      writer.name("index")
      writer.integer(index)
    }
    if let newIndex {
      writer.name("newIndex")
      writer.integer(newIndex)
    }
    if isRun {
      writer.name("count")
      writer.integer(count)
    }
  }

  private func writePlace(to writer: inout JSONWriter, from arena: [UInt8]) {
    guard let names else { return }
    writer.name("depth")
    writer.integer(names.depth)
    writer.name("parent")
    writer.string(orNull: names.parent, from: arena)
  }

  private func writeRows(to writer: inout JSONWriter, of answer: BatchAnswer) {
    if answer.format == .rows {
      writer.name("row")
      writer.raw(answer.rows[rows])
    } else {
      writer.name("rows")
      answer.rows.write(rows, to: &writer)
    }
  }
}

extension Change.SectionUpdate {
  fileprivate func writeFields(to writer: inout JSONWriter, from arena: [UInt8]) {
    writer.name("fields")
    writer.beginArray()
    if from != nil { writer.string("name" as StaticString) }
    if hasChangedExpansion { writer.string("expanded" as StaticString) }
    writer.endArray()
    if let from {
      writer.name("from")
      writer.string(arena[from.range])
    }
    writer.name("expanded")
    writer.boolean(isExpanded)
  }
}

extension JSONWriter {
  /// Writes which section an entry is about, and its places before and after.
  fileprivate mutating func section(_ section: ArraySlice<UInt8>, _ index: Int?, _ newIndex: Int?) {
    name("section")
    string(section)
    if let index {
      name("index")
      integer(index)
    }
    if let newIndex {
      name("newIndex")
      integer(newIndex)
    }
  }
}

extension ChangeList.UpdatedFields {
  /// Writes the names of the members as an array, in the order of the contract.
  fileprivate func write(to writer: inout JSONWriter) {
    writer.beginArray()
    if contains(.object) { writer.string("object" as StaticString) }
    if contains(.expanded) { writer.string("expanded" as StaticString) }
    if contains(.childState) { writer.string("childState" as StaticString) }
    if contains(.childCount) { writer.string("childCount" as StaticString) }
    if contains(.selected) { writer.string("selected" as StaticString) }
    if contains(.matched) { writer.string("matched" as StaticString) }
    writer.endArray()
  }
}
