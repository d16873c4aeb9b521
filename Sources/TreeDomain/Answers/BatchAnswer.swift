package import JSON

/// A row that a batch revealed.
package struct RevealedRow: Equatable, Sendable {
  /// The row's index after the batch; `nil` if a later operation hid or removed the row.
  package var index: Int?

  /// Makes a row.
  package init(index: Int?) { self.index = index }
}

/// The changes that a batch made: the net difference of the rows before and after.
package struct BatchAnswer: Equatable, Sendable {
  /// The session of the batch.
  package var session: SessionID
  /// The session's revision before the batch.
  package var previousRevision: Revision
  /// The session's revision after the batch.
  ///
  /// Unchanged if nothing changed.
  package var revision: Revision
  /// The tree's revision after the batch.
  package var treeRevision: Revision
  /// The number of visible rows after the batch.
  package var rowCount: Int
  /// The number of nodes in the tree after the batch.
  package var nodeCount: Int
  /// The origin of the changes; `nil` in the answer to a batch, which made them itself.
  package var origin: ChangeOrigin?
  /// The row that the batch revealed, or `nil` if it revealed none.
  package var revealed: RevealedRow?
  /// The format of the entries.
  ///
  /// In ``ChangeFormat/rows`` each has a count of 1.
  package var format: ChangeFormat
  /// True if entries of rows include the index of their section.
  package var isSectioned = false
  /// The entries in the order of the contract.
  ///
  /// Deletions come first, by descending index. Then come insertions and moves by ascending new
  /// index, with sections before rows. Updates come last.
  package var changes: [Change]
  /// The keys of nodes that the batch expanded and whose children were not supplied yet.
  package var unloaded: [ByteSlice]
  /// The rows that are included with entries.
  package var rows: WrittenRows
  /// The bytes that all slices refer to.
  package var arena: [UInt8]
  /// True if a `put` created the node.
  package var hasCreatedNode: Bool
  /// True if this is a stored answer to a repeated request.
  package var wasReplayed: Bool
  /// The commit that the answer waits for.
  package var durability = Durability()
  /// The whole answer as written, if it is stored or was requested as text.
  ///
  /// The lists of the answer may then be empty.
  package var text: [UInt8]?

  /// Makes an answer.
  ///
  /// Without lists, which can be set later, it says that nothing changed.
  package init(
    session: SessionID,
    previousRevision: Revision,
    revision: Revision,
    treeRevision: Revision,
    rowCount: Int,
    nodeCount: Int,
    origin: ChangeOrigin? = nil,
    format: ChangeFormat = .rows,
    changes: [Change] = [],
    unloaded: [ByteSlice] = [],
    rows: WrittenRows = WrittenRows(),
    arena: [UInt8] = [],
    hasCreatedNode: Bool = false
  ) {
    self.session = session
    self.previousRevision = previousRevision
    self.revision = revision
    self.treeRevision = treeRevision
    self.rowCount = rowCount
    self.nodeCount = nodeCount
    self.origin = origin
    self.format = format
    self.changes = changes
    self.unloaded = unloaded
    self.rows = rows
    self.arena = arena
    self.hasCreatedNode = hasCreatedNode
    wasReplayed = false
  }

  /// Writes the answer as an object.
  package func write(to writer: inout JSONWriter) {
    if let text { return writer.raw(text[...]) }
    writer.reserve(512 + 2 * arena.count + 128 * changes.count + rows.text.count)
    write(to: &writer, entries: writeEntries, unloaded: writeUnloaded)
  }

  /// Writes the answer as an object whose lists are written by the given closures.
  ///
  /// - Parameters:
  ///   - writer: The output.
  ///   - entries: Writes the entries.
  ///   - unloaded: Writes the keys of expanded nodes without supplied children.
  package func write(
    to writer: inout JSONWriter,
    entries: (inout JSONWriter) -> Void,
    unloaded: (inout JSONWriter) -> Void
  ) {
    writeHead(to: &writer)
    if format != .none {
      entries(&writer)
      writer.resume(roomFor: 16) { $0.put(#"],"unloaded":["#) }
    }
    unloaded(&writer)
    writer.end(roomFor: 2) { $0.put("]}") }
  }

  /// Changes members that come before the entries, also in the text.
  ///
  /// - Precondition: The closure changes neither the format nor a list.
  package mutating func changeHead(_ change: (inout BatchAnswer) -> Void) {
    guard text != nil else { return change(&self) }
    let former = head.count
    change(&self)
    let new = head
    text?.replaceSubrange(..<former, with: new)
  }

  /// The members before the entries, as written.
  private var head: [UInt8] {
    var writer = JSONWriter()
    writeHead(to: &writer)
    return writer.finish()
  }

  /// Writes the members before the entries and opens their list.
  private func writeHead(to writer: inout JSONWriter) {
    writer.begin(roomFor: 416) { out in
      out.put(#"{"session":"#)
      session.put(to: &out)
      out.put(#","previousRevision":"#, Int(previousRevision.number))
      out.put(#","revision":"#, Int(revision.number))
      out.put(#","treeRevision":"#, Int(treeRevision.number))
      out.put(#","rowCount":"#, rowCount)
      out.put(#","nodeCount":"#, nodeCount)
      if let revealed {
        out.put(#","index":"#)
        out.put(orNull: revealed.index)
      }
      switch origin {
      case .own: out.put(#","origin":"own","#)
      case .other: out.put(#","origin":"other","#)
      case .mixed: out.put(#","origin":"mixed","#)
      case nil: out.put(",")
      }
      putBeginning(to: &out)
    }
  }

  /// Writes `format`, `changes` and `unloaded` as members of an open object.
  func writeList(to writer: inout JSONWriter) {
    writer.begin(roomFor: 32) { putBeginning(to: &$0) }
    if format != .none {
      writeEntries(to: &writer)
      writer.resume(roomFor: 16) { $0.put(#"],"unloaded":["#) }
    }
    writeUnloaded(to: &writer)
    writer.end(roomFor: 1) { $0.put("]") }
  }

  /// Writes the members before the entries and opens the list.
  ///
  /// Without entries, opens `unloaded`.
  private func putBeginning(to out: inout JSONRoom) {
    switch format {
    case .rows: out.put(#""format":"rows","changes":["#)
    case .ranges: out.put(#""format":"ranges","changes":["#)
    case .none: out.put(#""format":"none","unloaded":["#)
    }
  }

  private func writeEntries(to writer: inout JSONWriter) {
    for change in changes { change.write(to: &writer, of: self) }
  }

  private func writeUnloaded(to writer: inout JSONWriter) {
    for key in unloaded { writer.string(arena[key.range]) }
  }
}

/// Rows as JSON.
///
/// The content of rows is in the tree, which may have changed when the answer is sent. So the rows
/// are written while the tree is being read.
package struct WrittenRows: Equatable, Sendable {
  /// The rows, each an object, separated by commas.
  package let text: [UInt8]
  /// The end offset of each row in `text`.
  private let ends: [Int]

  /// Makes an empty value.
  package init() { self.init(text: [], ends: []) }

  /// Makes a value of written rows.
  package init(text: [UInt8], ends: [Int]) {
    self.text = text
    self.ends = ends
  }

  /// The number of rows.
  package var count: Int { ends.count }

  /// The text of a range of rows.
  package subscript(rows: Range<Int>) -> ArraySlice<UInt8> {
    guard !rows.isEmpty else { return [] }
    // Rows are separated by a comma.
    let start = rows.lowerBound == 0 ? 0 : ends[rows.lowerBound - 1] + 1
    return text[start..<ends[rows.upperBound - 1]]
  }

  /// Writes a range of rows as an array.
  func write(_ rows: Range<Int>, to writer: inout JSONWriter) {
    writer.beginArray()
    if !rows.isEmpty { writer.raw(self[rows]) }
    writer.endArray()
  }

  /// Writes the rows as an array.
  func write(to writer: inout JSONWriter) { write(0..<count, to: &writer) }
}
