import TreeDomain
import TreeEngine

/// Turns the engine's change list, in which sections are rows, into the entries of an answer.
struct ChangeWriting: ~Copyable {
  typealias ViewID = EngineTree.ViewID

  let list: ChangeList
  /// The maximum number of included rows.
  private let maxIncluded: Int
  /// The members of included rows.
  private let fields: RowFields
  /// The number of bytes that included rows may have, and also the maximum for all entries.
  private let maxBytes: Int
  /// The changed members of moved rows, by new row; nil if entries are not grouped by section.
  let movedFields: [Int: ChangeList.UpdatedFields]?
  let view: ViewID
  /// The rows of the sections before the changes.
  let old: SectionRows
  /// The rows of the sections after the changes.
  let new: SectionRows
  var arena = AnswerArena()
  var changes: [Change] = []
  /// The included rows; nil if there are none yet.
  private var rows: RowWriting?
  /// The number of included rows.
  private var rowCount = 0
  /// The size of included rows in bytes.
  private var rowBytes = 0
  /// Counts the entries; `nil` if there are few.
  private let meter: WorkMeter?
  /// The error with which the meter stopped the writing.
  private(set) var refusal: ServiceError?
  /// The last section whose name was appended.
  private var lastSection: (index: Int, name: ByteSlice)?

  init(
    _ list: ChangeList,
    of view: ViewID,
    from old: SectionRows,
    to new: SectionRows,
    _ maxIncluded: Int,
    _ fields: RowFields,
    movedFields: [Int: ChangeList.UpdatedFields]?,
    maxBytes: Int,
    _ meter: WorkMeter?
  ) {
    self.list = list
    self.meter = meter
    self.maxIncluded = maxIncluded
    self.fields = fields
    self.maxBytes = maxBytes
    self.movedFields = movedFields
    self.view = view
    self.old = old
    self.new = new
  }

  /// Returns the included rows, after everything was written.
  mutating func popRows() -> WrittenRows { rows?.finish() ?? WrittenRows() }

  /// True if entries are grouped by section.
  var isSectioned: Bool { movedFields != nil }

  /// True if there are entries of sections.
  private var showsSections: Bool {
    isSectioned || old.sections.isShown || new.sections.isShown
  }

  var roomForRows: Int { rowBytes > maxBytes ? 0 : max(0, maxIncluded - rowCount) }

  /// True if entries and strings have reached the maximum, or the meter has stopped.
  var isFull: Bool { refusal != nil || arena.bytes.count + 128 * changes.count > maxBytes }

  /// Appends an entry, and counts it.
  mutating func append(_ change: Change) {
    changes.append(change)
    count(ChangeReading.stepsPerEntry)
  }

  /// Counts steps.
  ///
  /// After the meter refuses, nothing more is written.
  private mutating func count(_ steps: Int) {
    guard let meter, refusal == nil else { return }
    do throws(ServiceError) {
      try meter.count(steps)
    } catch {
      refusal = error
    }
  }

  mutating func key(of node: NodeID, in content: borrowing TreeContent) -> ByteSlice {
    arena.key(of: node, in: content)
  }

  /// Writes all entries in order, one for each row or each range.
  ///
  /// If entries for rows are too long, writes one for each range. If these are too long as well,
  /// writes that all rows were deleted and inserted.
  ///
  /// - Returns: The format that was written.
  mutating func write(
    _ format: ChangeFormat,
    of content: borrowing TreeContent
  ) -> ChangeFormat {
    if format == .rows, writeEntries(isRanges: false, of: content) { return .rows }
    if refusal != nil { return .rows }
    startOver()
    if writeEntries(isRanges: true, of: content) || refusal != nil { return .ranges }
    startOver()
    writeAnew(of: content)
    return .ranges
  }

  /// Writes an entry for each range or row.
  ///
  /// Returns true if all entries fit.
  private mutating func writeEntries(
    isRanges: Bool,
    of content: borrowing TreeContent
  ) -> Bool {
    let runCount = list.deletions.count + list.placements.count + list.updates.count
    let entryCount = isRanges ? runCount : list.rowEntryCount
    changes.reserveCapacity(min(entryCount, maxBytes / 128 + 1))
    arena.reserve(entries: entryCount)
    for run in list.deletedRuns where !isFull { writeDeletion(of: run, isRanges, of: content) }
    if showsSections { writeSections() }
    writePlacements(isRanges, of: content)
    var rest = list.updates[...]
    while !rest.isEmpty, !isFull {
      let length = isRanges ? leadingRun(of: rest) : 1
      count(length)
      write(rest.prefix(length), of: content)
      rest = rest.dropFirst(length)
    }
    return !isFull
  }

  /// Writes that all former rows are deleted and all rows inserted.
  ///
  /// Each section has its own entries.
  private mutating func writeAnew(of content: borrowing TreeContent) {
    let rowCount = content.tree.rowCount(of: view)
    for part in old.split(0..<list.rowCountBefore(rowCount)).reversed() {
      appendDeletion(at: part.lowerBound, count: part.count)
    }
    if showsSections { writeSections() }
    let all = ChangeList.Placement(newIndex: 0, count: rowCount)
    write(all, [], true, of: content)
  }

  private mutating func startOver() {
    arena = AnswerArena()
    changes = []
    rows = nil
    rowCount = 0
    rowBytes = 0
    lastSection = nil
  }

  // MARK: Deletions

  private mutating func writeDeletion(
    of run: Range<Int>,
    _ isRanges: Bool,
    of content: borrowing TreeContent
  ) {
    for part in old.split(run).reversed() {
      if isRanges, part.count > 1 {
        appendDeletion(at: part.lowerBound, count: part.count)
        continue
      }
      for row in part.reversed() {
        let node = list.deletedNode(at: row)
        let names = node.map { Change.Names(key: key(of: $0, in: content)) }
        appendDeletion(at: row, names: names)
      }
    }
  }

  private mutating func appendDeletion(
    at oldRow: Int,
    count: Int = 1,
    names: Change.Names? = nil
  ) {
    let location = old.location(of: oldRow)
    var change = Change(.delete(index: location.row), count: count, names: names)
    change.place = oldPlace(location)
    append(change)
  }

  // MARK: Updates

  /// Returns the number of leading updates of adjacent rows with the same changed fields.
  private func leadingRun(of updates: ShortList<ChangeList.Update>.SubSequence) -> Int {
    var count = 1
    for (last, next) in zip(updates, updates.dropFirst()) {
      guard next.fields == last.fields, next.index == last.index + 1,
        next.newIndex == last.newIndex + 1, !new.isHeader(next.newIndex),
        !new.isHeader(last.newIndex)
      else { break }
      count += 1
    }
    return count
  }

  private mutating func write(
    _ updates: ShortList<ChangeList.Update>.SubSequence,
    of content: borrowing TreeContent
  ) {
    guard let first = updates.first, !new.isHeader(first.newIndex) else { return }
    var shown: [ViewRow] = []
    if roomForRows > 0 {
      for update in updates.prefix(roomForRows) {
        shown.append(content.tree.row(of: update.node, in: view))
      }
    }
    let location = new.location(of: first.newIndex)
    let former = old.location(of: first.index)
    var change = Change(
      .update(index: former.row, newIndex: location.row, first.fields),
      count: updates.count
    )
    if updates.count == 1 { change.names = Change.Names(key: key(of: first.node, in: content)) }
    change.place = newPlace(location)
    if isSectioned { change.formerPlace = oldPlace(former) }
    change.rows = include(shown[...], in: content)
    append(change)
  }

  // MARK: Parts

  mutating func include(
    _ given: ArraySlice<ViewRow>,
    in content: borrowing TreeContent
  ) -> Range<Int> {
    let start = rowCount
    if given.isEmpty { return start..<start }
    let shown = given.prefix(roomForRows)
    if shown.isEmpty { return start..<start }
    if rows == nil { rows = RowWriting(fields, new, of: content) }
    rows?.write(shown, of: content, maxBytes: maxBytes)
    rowCount = rows?.count ?? 0
    rowBytes = rows?.byteCount ?? 0
    count(ChangeReading.stepsPerEntry * (rowCount - start) + rowBytes / 1_024)
    return start..<rowCount
  }

  /// Returns the name of a section.
  ///
  /// Uses the last name again if possible, because adjacent rows are often in the same section.
  mutating func name(ofSection index: Int) -> ByteSlice {
    if let lastSection, lastSection.index == index { return lastSection.name }
    let name = arena.append(new.sections.all[index].name[...])
    lastSection = (index, name)
    return name
  }
}
