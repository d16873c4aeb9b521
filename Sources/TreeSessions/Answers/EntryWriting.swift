import JSON
import TreeDomain
import TreeEngine

/// Writes an entry for each row in a change list as JSON, straight from the memory of the tree.
///
/// The tree must have no named sections, and no rows are included. The text is the same as from
/// ``ChangeWriting``, but no entries are built first.
///
/// A value retains the memory of the tree's strings. If the tree changed meanwhile, that memory
/// would be copied.
struct EntryWriting: ~Copyable {
  private let keys: ByteArena
  /// The number of bytes left for entries and keys.
  private var bytesLeft: Int
  private var parents = ParentKeys()
  /// Counts the entries; `nil` if there are few.
  private let meter: WorkMeter?
  /// The error with which the meter stopped the writing.
  private(set) var refusal: ServiceError?

  init(of content: borrowing TreeContent, maxBytes: Int, _ meter: WorkMeter?) {
    self.meter = meter
    keys = content.tree.keyBytes()
    bytesLeft = maxBytes
  }

  /// True if entries or keys were left out, because they are too long or the meter stopped.
  var isOverfull: Bool { bytesLeft < 0 || refusal != nil }

  /// Counts an entry.
  ///
  /// After the meter refuses, nothing more is written.
  private mutating func countEntry() {
    guard let meter, refusal == nil else { return }
    do throws(ServiceError) {
      try meter.count(ChangeReading.stepsPerEntry)
    } catch {
      refusal = error
    }
  }

  /// The row of the only section, above all others.
  private static var header: Int { 0 }

  /// Writes the entries in order.
  ///
  /// - Parameters:
  ///   - list: The changes, with row indexes of the engine.
  ///   - view: The view of the rows.
  ///   - content: The content of the tree.
  ///   - writer: The writer for the entries.
  mutating func write(
    _ list: ChangeList,
    of view: EngineTree.ViewID,
    in content: borrowing TreeContent,
    to writer: inout JSONWriter
  ) {
    for deletion in list.deletions { write(deletion, list.deletedNodes, in: content, to: &writer) }
    write(list.placements, of: view, in: content, to: &writer)
    for update in list.updates where update.newIndex != Self.header {
      let kind = Change.Kind.update(
        index: update.index - 1,
        newIndex: update.newIndex - 1,
        update.fields
      )
      write(kind, key: content.tree.keySlice(of: update.node), to: &writer)
    }
  }

  /// Writes the keys of nodes, except those of sections.
  mutating func write(
    keysOf nodes: [NodeID],
    in content: borrowing TreeContent,
    to writer: inout JSONWriter
  ) {
    for node in nodes where !content.tree.isSection(node) && !isOverfull {
      let key = content.tree.keySlice(of: node)
      countEntry()
      bytesLeft -= key.count
      writer.value(roomFor: JSONWriter.room(forString: key.count)) { out in
        out.put(string: keys.span(of: key))
      }
    }
  }

  /// Writes the deletion of rows in descending order, which is the order of their listed nodes.
  private mutating func write(
    _ deletion: ChangeList.Deletion,
    _ nodes: [NodeID],
    in content: borrowing TreeContent,
    to writer: inout JSONWriter
  ) {
    for offset in 0..<deletion.count {
      let row = deletion.index + deletion.count - 1 - offset
      let node = deletion.nodes.map { nodes[$0.lowerBound + offset] }
      let key = node.map { content.tree.keySlice(of: $0) }
      write(.delete(index: row - 1), key: key, to: &writer)
    }
  }

  /// Writes the insertion or move of rows.
  private mutating func write(
    _ placements: ShortList<ChangeList.Placement>,
    of view: EngineTree.ViewID,
    in content: borrowing TreeContent,
    to writer: inout JSONWriter
  ) {
    guard let first = placements.first else { return }
    // In this common case, no memory is allocated for the outline.
    if placements.count == 1, first.count == 1 {
      let row = content.tree.outline(ofRow: first.newIndex, in: view)
      return write(row, at: 0, of: first, in: content, to: &writer)
    }
    var rows = content.tree.outline(of: placements[...], in: view)[...]
    for placement in placements {
      for (offset, row) in rows.prefix(placement.count).enumerated() {
        write(row, at: offset, of: placement, in: content, to: &writer)
      }
      rows = rows.dropFirst(placement.count)
    }
  }

  /// Writes the insertion or move of one of several adjacent rows.
  private mutating func write(
    _ row: OutlinedRow,
    at offset: Int,
    of placement: ChangeList.Placement,
    in content: borrowing TreeContent,
    to writer: inout JSONWriter
  ) {
    guard placement.newIndex + offset != Self.header else { return }
    parents.meet(row.parent, in: content)
    let newIndex = placement.newIndex + offset - 1
    let kind: Change.Kind =
      if let index = placement.index {
        .move(index: index + offset - 1, newIndex: newIndex)
      } else {
        .insert(newIndex: newIndex)
      }
    // In the engine, the section has depth 0 and roots have depth 1.
    write(kind, key: row.key, depth: row.depth - 1, parent: parents.key, to: &writer)
  }

  private mutating func write(
    _ kind: Change.Kind,
    key: ByteArena.Slice?,
    depth: Int = 0,
    parent: ByteArena.Slice? = nil,
    to writer: inout JSONWriter
  ) {
    countEntry()
    let bytes = (key?.count ?? 0) + (parent?.count ?? 0)
    bytesLeft -= bytes + Self.entryBytes
    guard !isOverfull else { return }
    writer.value(roomFor: Change.Kind.rowsRoom + JSONWriter.room(forString: bytes)) { out in
      out.putObject { out in out = put(kind, key, depth, parent, into: out) }
    }
  }

  private func put(
    _ kind: Change.Kind,
    _ key: ByteArena.Slice?,
    _ depth: Int,
    _ parent: ByteArena.Slice?,
    into out: consuming JSONRoom
  ) -> JSONRoom {
    let key: Span<UInt8>? = if let key { keys.span(of: key) } else { nil }
    let parent: Span<UInt8>? = if let parent { keys.span(of: parent) } else { nil }
    return kind.putRows(key: key, depth: depth, parent: parent, into: out)
  }

  /// The approximate size of an entry without its keys, in bytes.
  private static var entryBytes: Int { 128 }
}
