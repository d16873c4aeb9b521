import JSON
import TreeDomain
import TreeEngine

/// Writes an entry for each row that a change list names, straight from the bytes of a tree without
/// sections.
///
/// It says what ``ChangeWriting`` does where no rows come along, but puts nothing together before.
/// It holds on to those bytes: the tree must stay as it is meanwhile, or they would be copied.
struct EntryWriting: ~Copyable {
  private let keys: ByteArena
  /// How many bytes entries and their keys may still have.
  private var bytesLeft: Int
  private var parents = ParentKeys()
  /// Counts the entries; `nil` for few.
  private let meter: WorkMeter?
  /// The reason why the meter stopped the writing.
  private(set) var refusal: ServiceError?

  init(of manager: borrowing TreeManager, maxBytes: Int, _ meter: WorkMeter?) {
    self.meter = meter
    keys = manager.tree.keyBytes()
    bytesLeft = maxBytes
  }

  /// True if entries or keys were left out: all of them may not be that long, or the meter stopped.
  var isOverfull: Bool { bytesLeft < 0 || refusal != nil }

  /// Counts an entry; nothing more is written when the meter refuses to go on.
  private mutating func countEntry() {
    guard let meter, refusal == nil else { return }
    do throws(ServiceError) {
      try meter.count(TreeManager.stepsPerEntry)
    } catch {
      refusal = error
    }
  }

  /// The row of a tree's one section, above all others.
  private static var header: Int { 0 }

  /// Writes the entries, in their order.
  ///
  /// - Parameters:
  ///   - list: What changed, in rows of the engine.
  ///   - view: The view whose rows they are.
  ///   - manager: The tree.
  ///   - writer: What they go to.
  mutating func write(
    _ list: ChangeList,
    of view: TreeManager.EngineTree.ViewID,
    in manager: borrowing TreeManager,
    to writer: inout JSONWriter
  ) {
    for deletion in list.deletions { write(deletion, list.deletedNodes, in: manager, to: &writer) }
    write(list.placements, of: view, in: manager, to: &writer)
    for update in list.updates where update.newIndex != Self.header {
      let kind = Change.Kind.update(
        index: update.index - 1,
        newIndex: update.newIndex - 1,
        update.fields
      )
      write(kind, key: manager.tree.keySlice(of: update.node), to: &writer)
    }
  }

  /// Writes the keys of nodes that are no sections.
  mutating func write(
    keysOf nodes: [NodeID],
    in manager: borrowing TreeManager,
    to writer: inout JSONWriter
  ) {
    for node in nodes where !manager.isSection(node) && !isOverfull {
      let key = manager.tree.keySlice(of: node)
      countEntry()
      bytesLeft -= key.count
      writer.value(roomFor: JSONWriter.room(forString: key.count)) { out in
        out.put(string: keys.span(of: key))
      }
    }
  }

  /// Writes that rows are gone, from the last one up, as their nodes are listed.
  private mutating func write(
    _ deletion: ChangeList.Deletion,
    _ nodes: [NodeID],
    in manager: borrowing TreeManager,
    to writer: inout JSONWriter
  ) {
    for offset in 0..<deletion.count {
      let row = deletion.index + deletion.count - 1 - offset
      let node = deletion.nodes.map { nodes[$0.lowerBound + offset] }
      let key = node.map { manager.tree.keySlice(of: $0) }
      write(.delete(index: row - 1), key: key, to: &writer)
    }
  }

  /// Writes that rows are new or came from elsewhere.
  private mutating func write(
    _ placements: ShortList<ChangeList.Placement>,
    of view: TreeManager.EngineTree.ViewID,
    in manager: borrowing TreeManager,
    to writer: inout JSONWriter
  ) {
    guard let first = placements.first else { return }
    // As it mostly is: then its outline needs no memory of its own.
    if placements.count == 1, first.count == 1 {
      let row = manager.tree.outline(ofRow: first.newIndex, in: view)
      return write(row, at: 0, of: first, in: manager, to: &writer)
    }
    var rows = manager.tree.outline(of: placements[...], in: view)[...]
    for placement in placements {
      for (offset, row) in rows.prefix(placement.count).enumerated() {
        write(row, at: offset, of: placement, in: manager, to: &writer)
      }
      rows = rows.dropFirst(placement.count)
    }
  }

  /// Writes that one of several rows that stand together is new or came from elsewhere.
  private mutating func write(
    _ row: OutlinedRow,
    at offset: Int,
    of placement: ChangeList.Placement,
    in manager: borrowing TreeManager,
    to writer: inout JSONWriter
  ) {
    guard placement.newIndex + offset != Self.header else { return }
    parents.meet(row.parent, in: manager)
    let newIndex = placement.newIndex + offset - 1
    let kind: Change.Kind =
      if let index = placement.index {
        .move(index: index + offset - 1, newIndex: newIndex)
      } else {
        .insert(newIndex: newIndex)
      }
    // The section is at depth 0 to the engine, the roots below it.
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

  /// About how many bytes an entry has beside its keys.
  private static var entryBytes: Int { 128 }
}
