import JSON
import TreeEngine

extension Change {
  /// Writes the entry as an object, in the form the contract has for the format.
  ///
  /// All of it goes into room that is made at once.
  func write(to writer: inout JSONWriter, of answer: BatchAnswer) {
    let included = answer.rows[rows]
    writer.value(roomFor: room(forRows: included.count)) { out, i in
      out.putObject(&i) { out, i in
        putKind(to: &out, &i, from: answer.arena.span, isRun: answer.format == .ranges)
        if rows.isEmpty { return }
        if answer.format == .rows {
          out.put(#","row":"#, &i)
          out.put(json: included.span, &i)
        } else {
          out.put(#","rows":["#, &i)
          out.put(json: included.span, &i)
          out.put("]", &i)
        }
      }
    }
  }

  /// How many bytes the entry takes at most, with rows of so many.
  func room(forRows count: Int) -> Int {
    384 + JSONWriter.room(forString: nameBytes) + count
  }

  /// How many bytes the keys and names take, not escaped.
  private var nameBytes: Int {
    let sections = (place?.section.count ?? 0) + (formerPlace?.section.count ?? 0)
    let rows = (names?.key.count ?? 0) + (names?.parent?.count ?? 0)
    let kind =
      switch kind {
      case .delete, .insert, .move, .update: 0
      case .deleteSection(let name, _), .moveSection(let name, _, _): name.count
      case .insertSection(let insertion): insertion.section.count
      case .updateSection(let update): update.section.count + (update.from?.count ?? 0)
      }
    return sections + rows + kind
  }

  private func putKind(
    to out: inout MutableSpan<UInt8>,
    _ i: inout Int,
    from arena: Span<UInt8>,
    isRun: Bool
  ) {
    switch kind {
    case .delete(let index):
      out.put(#","type":"delete""#, &i)
      putWhere(index, nil, to: &out, &i, from: arena, isRun: isRun)
    case .insert(let newIndex):
      out.put(#","type":"insert""#, &i)
      putWhere(nil, newIndex, to: &out, &i, from: arena, isRun: isRun)
      putStanding(to: &out, &i, from: arena)
    case .move(let index, let newIndex):
      out.put(#","type":"move""#, &i)
      putWhere(index, newIndex, to: &out, &i, from: arena, isRun: isRun)
      putStanding(to: &out, &i, from: arena)
    case .update(let index, let newIndex, let fields):
      out.put(#","type":"update""#, &i)
      putWhere(index, newIndex, to: &out, &i, from: arena, isRun: isRun)
      fields.put(to: &out, &i)
    case .deleteSection, .insertSection, .moveSection, .updateSection:
      return putSection(to: &out, &i, from: arena)
    }
    putSectionPlaces(to: &out, &i, from: arena)
  }

  private func putSection(
    to out: inout MutableSpan<UInt8>,
    _ i: inout Int,
    from arena: Span<UInt8>
  ) {
    switch kind {
    case .deleteSection(let name, let index):
      out.put(#","type":"deleteSection","section":"#, &i)
      out.put(string: arena.extracting(name.range), &i)
      Self.putPlaces(index, nil, to: &out, &i)
    case .insertSection(let insertion):
      out.put(#","type":"insertSection","section":"#, &i)
      out.put(string: arena.extracting(insertion.section.range), &i)
      Self.putPlaces(nil, insertion.newIndex, to: &out, &i)
      if insertion.wasNameless { out.put(#","from":"""#, &i) }
      out.put(#","expanded":"#, &i)
      out.put(insertion.isExpanded, &i)
    case .moveSection(let name, let index, let newIndex):
      out.put(#","type":"moveSection","section":"#, &i)
      out.put(string: arena.extracting(name.range), &i)
      Self.putPlaces(index, newIndex, to: &out, &i)
    case .updateSection(let update):
      out.put(#","type":"updateSection","section":"#, &i)
      out.put(string: arena.extracting(update.section.range), &i)
      Self.putPlaces(update.index, update.newIndex, to: &out, &i)
      update.putFields(to: &out, &i, from: arena)
    case .delete, .insert, .move, .update:
      preconditionFailure("entries of rows are written elsewhere")
    }
  }

  private func putSectionPlaces(
    to out: inout MutableSpan<UInt8>,
    _ i: inout Int,
    from arena: Span<UInt8>
  ) {
    if let place {
      out.put(#","section":"#, &i)
      out.put(string: arena.extracting(place.section.range), &i)
      out.put(#","sectionRow":"#, &i)
      out.put(place.row, &i)
    }
    if let formerPlace {
      out.put(#","fromSection":"#, &i)
      out.put(string: arena.extracting(formerPlace.section.range), &i)
      out.put(#","fromSectionRow":"#, &i)
      out.put(formerPlace.row, &i)
    }
  }

  /// Puts who the rows are and where, before and after, and how many where they are a run.
  private func putWhere(
    _ index: Int?,
    _ newIndex: Int?,
    to out: inout MutableSpan<UInt8>,
    _ i: inout Int,
    from arena: Span<UInt8>,
    isRun: Bool
  ) {
    if let names {
      out.put(#","key":"#, &i)
      out.put(string: arena.extracting(names.key.range), &i)
    }
    Self.putPlaces(index, newIndex, to: &out, &i)
    if isRun {
      out.put(#","count":"#, &i)
      out.put(count, &i)
    }
  }

  /// Puts the place before and the place after, as far as there is one.
  private static func putPlaces(
    _ index: Int?,
    _ newIndex: Int?,
    to out: inout MutableSpan<UInt8>,
    _ i: inout Int
  ) {
    if let index {
      out.put(#","index":"#, &i)
      out.put(index, &i)
    }
    if let newIndex {
      out.put(#","newIndex":"#, &i)
      out.put(newIndex, &i)
    }
  }

  /// Puts how deep a row is, and under what.
  private func putStanding(
    to out: inout MutableSpan<UInt8>,
    _ i: inout Int,
    from arena: Span<UInt8>
  ) {
    guard let names else { return }
    out.put(#","depth":"#, &i)
    out.put(names.depth, &i)
    out.put(#","parent":"#, &i)
    if let parent = names.parent {
      out.put(string: arena.extracting(parent.range), &i)
    } else {
      out.put("null", &i)
    }
  }
}

extension Change.SectionUpdate {
  fileprivate func putFields(
    to out: inout MutableSpan<UInt8>,
    _ i: inout Int,
    from arena: Span<UInt8>
  ) {
    switch (from != nil, hasChangedExpansion) {
    case (true, true): out.put(#","fields":["name","expanded"]"#, &i)
    case (true, false): out.put(#","fields":["name"]"#, &i)
    case (false, true): out.put(#","fields":["expanded"]"#, &i)
    case (false, false): out.put(#","fields":[]"#, &i)
    }
    if let from {
      out.put(#","from":"#, &i)
      out.put(string: arena.extracting(from.range), &i)
    }
    out.put(#","expanded":"#, &i)
    out.put(isExpanded, &i)
  }
}

extension ChangeList.UpdatedFields {
  /// Puts the names of the members as a list, in the order of the contract.
  fileprivate func put(to out: inout MutableSpan<UInt8>, _ i: inout Int) {
    out.put(#","fields":["#, &i)
    let start = i
    if contains(.object) { out.put(#""object","#, &i) }
    if contains(.expanded) { out.put(#""expanded","#, &i) }
    if contains(.childState) { out.put(#""childState","#, &i) }
    if contains(.childCount) { out.put(#""childCount","#, &i) }
    if contains(.selected) { out.put(#""selected","#, &i) }
    if contains(.matched) { out.put(#""matched","#, &i) }
    // The list is closed in place of the last comma.
    if i > start { i -= 1 }
    out.put("]", &i)
  }
}
