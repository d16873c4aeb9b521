public import JSON

/// A row that a batch revealed.
public struct RevealedRow: Equatable, Sendable {
  /// The row's index after the batch; `nil` if a later operation hid or removed the row.
  public var index: Int?

  /// Makes a row.
  public init(index: Int?) { self.index = index }
}

/// What a batch changed: the net difference of the rows before and after.
public struct BatchAnswer: Equatable, Sendable {
  /// The session the batch was for.
  public var session: SessionID
  /// The session's revision before.
  public var previousRevision: Revision
  /// The session's revision after; the same when nothing changed.
  public var revision: Revision
  /// The tree's revision after.
  public var treeRevision: Revision
  /// How many rows are visible after.
  public var rowCount: Int
  /// How many nodes the tree has after.
  public var nodeCount: Int
  /// The origin of the changes; `nil` in the answer to a batch, which made them itself.
  public var origin: ChangeOrigin?
  /// The index of the row that the batch revealed, where it revealed any.
  public var revealed: RevealedRow?
  /// How the entries are to be read; in ``ChangeFormat/rows`` each has a count of 1.
  public var format: ChangeFormat
  /// True if entries of rows say at which places their sections are.
  public var isSectioned = false
  /// The entries, in the order of the contract: what goes, by descending index, then what comes,
  /// by ascending new one, then what reads differently; sections before the rows that come.
  public var changes: [Change]
  /// The keys of nodes the batch expanded whose children nobody supplied yet.
  public var unloaded: [ByteSlice]
  /// The rows that come along with entries.
  public var rows: WrittenRows
  /// What all slices point into.
  public var arena: [UInt8]
  /// Whether a put found its key free, so that the node is new.
  public var hasCreatedNode: Bool
  /// Whether the answer was given before, to the same request.
  public var wasReplayed: Bool
  /// What the answer waits for.
  public var durability = Durability()
  /// The whole answer as it was written, where it is kept or was asked for so; it may have its
  /// lists nowhere else.
  public var text: [UInt8]?

  /// Makes an answer; without lists, which can be filled afterwards, it says that nothing changed.
  public init(
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
  public func write(to writer: inout JSONWriter) {
    if let text { return writer.raw(text[...]) }
    writer.reserve(512 + 2 * arena.count + 128 * changes.count + rows.text.count)
    write(to: &writer, entries: writeEntries, unloaded: writeUnloaded)
  }

  /// Writes the answer as an object whose lists are written by others.
  ///
  /// - Parameters:
  ///   - writer: What it goes to.
  ///   - entries: Writes the entries.
  ///   - unloaded: Writes the keys of what nobody supplied yet.
  public func write(
    to writer: inout JSONWriter,
    entries: (inout JSONWriter) -> Void,
    unloaded: (inout JSONWriter) -> Void
  ) {
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
    if format != .none {
      entries(&writer)
      writer.resume(roomFor: 16) { $0.put(#"],"unloaded":["#) }
    }
    unloaded(&writer)
    writer.end(roomFor: 2) { $0.put("]}") }
  }

  /// Writes what changed as members of an open object: `format`, `changes` and `unloaded`.
  func writeList(to writer: inout JSONWriter) {
    writer.begin(roomFor: 32) { putBeginning(to: &$0) }
    if format != .none {
      writeEntries(to: &writer)
      writer.resume(roomFor: 16) { $0.put(#"],"unloaded":["#) }
    }
    writeUnloaded(to: &writer)
    writer.end(roomFor: 1) { $0.put("]") }
  }

  /// Puts the members before the entries, and begins those; without a list, before the keys.
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
