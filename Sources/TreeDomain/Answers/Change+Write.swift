import JSON

extension Change {
  /// Writes the entry as an object in the answer's format.
  ///
  /// All room for it is reserved at once.
  func write(to writer: inout JSONWriter, of answer: BatchAnswer) {
    let included = answer.rows[rows]
    writer.value(roomFor: room(forRows: included.count)) { out in
      out.putObject { out in
        putKind(to: &out, from: answer.arena.span, of: answer)
        if rows.isEmpty { return }
        if answer.format == .rows {
          out.put(#","row":"#)
          out.put(json: included.span)
        } else {
          out.put(#","rows":["#)
          out.put(json: included.span)
          out.put("]")
        }
      }
    }
  }

  /// Returns an upper bound of the entry's size in bytes, given the size of its rows.
  func room(forRows count: Int) -> Int {
    Kind.rowsRoom + JSONWriter.room(forString: nameBytes) + count
  }

  /// The size of the keys and names in bytes, not escaped.
  private var nameBytes: Int {
    let sections = (place?.section.count ?? 0) + (formerPlace?.section.count ?? 0)
    let rows = (names?.key?.count ?? 0) + (names?.parent?.count ?? 0)
    let kind =
      switch kind {
      case .delete, .insert, .move, .update: 0
      case .deleteSection(let name, _, _), .moveSection(let name, _, _): name.count
      case .insertSection(let insertion): insertion.section.count
      case .updateSection(let update): update.section.count + (update.from?.count ?? 0)
      }
    return sections + rows + kind
  }

  private func putKind(
    to out: inout JSONRoom,
    from arena: Span<UInt8>,
    of answer: BatchAnswer
  ) {
    guard !kind.isOfSection else { return putSection(to: &out, from: arena) }
    let key: Span<UInt8>? = if let key = names?.key { arena.extracting(key.range) } else { nil }
    let parent: Span<UInt8>? =
      if let slice = names?.parent { arena.extracting(slice.range) } else { nil }
    out = kind.putRows(
      key: key,
      depth: names?.depth,
      parent: parent,
      runOf: answer.format == .ranges ? count : nil,
      into: out
    )
    if !movedFields.isEmpty { movedFields.put(to: &out) }
    putSectionPlaces(to: &out, from: arena, tellsIndexes: answer.isSectioned)
  }

  private func putSection(
    to out: inout JSONRoom,
    from arena: Span<UInt8>
  ) {
    switch kind {
    case .deleteSection(let name, let index, let isNameless):
      out.put(#","type":"deleteSection","section":"#)
      out.put(string: arena.extracting(name.range))
      Kind.putPlaces(index, nil, to: &out)
      if isNameless { out.put(#","to":"""#) }
    case .insertSection(let insertion):
      out.put(#","type":"insertSection","section":"#)
      out.put(string: arena.extracting(insertion.section.range))
      Kind.putPlaces(nil, insertion.newIndex, to: &out)
      if insertion.wasNameless { out.put(#","from":"""#) }
      out.put(#","expanded":"#)
      out.put(insertion.isExpanded)
    case .moveSection(let name, let index, let newIndex):
      out.put(#","type":"moveSection","section":"#)
      out.put(string: arena.extracting(name.range))
      Kind.putPlaces(index, newIndex, to: &out)
    case .updateSection(let update):
      out.put(update.isMoved ? #","type":"moveSection""# : #","type":"updateSection""#)
      out.put(#","section":"#)
      out.put(string: arena.extracting(update.section.range))
      Kind.putPlaces(update.index, update.newIndex, to: &out)
      update.putFields(to: &out, from: arena)
    case .delete, .insert, .move, .update:
      preconditionFailure("entries of rows are written elsewhere")
    }
  }

  private func putSectionPlaces(
    to out: inout JSONRoom,
    from arena: Span<UInt8>,
    tellsIndexes: Bool
  ) {
    if let place {
      out.put(#","section":"#)
      out.put(string: arena.extracting(place.section.range))
      if tellsIndexes { out.put(#","sectionIndex":"#, place.index) }
      out.put(#","sectionRow":"#, place.row)
    }
    if let formerPlace {
      out.put(#","fromSection":"#)
      out.put(string: arena.extracting(formerPlace.section.range))
      if tellsIndexes { out.put(#","fromSectionIndex":"#, formerPlace.index) }
      out.put(#","fromSectionRow":"#, formerPlace.row)
    }
  }
}

extension Change.SectionUpdate {
  fileprivate func putFields(
    to out: inout JSONRoom,
    from arena: Span<UInt8>
  ) {
    switch (from != nil, hasChangedExpansion) {
    case (true, true): out.put(#","fields":["name","expanded"]"#)
    case (true, false): out.put(#","fields":["name"]"#)
    case (false, true): out.put(#","fields":["expanded"]"#)
    case (false, false): out.put(#","fields":[]"#)
    }
    if let from {
      out.put(#","from":"#)
      out.put(string: arena.extracting(from.range))
    }
    out.put(#","expanded":"#)
    out.put(isExpanded)
  }
}
