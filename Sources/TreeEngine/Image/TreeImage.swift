/// A snapshot of a tree with its views and history, written while the tree changes.
///
/// The format begins with eight bytes of name and a version. Then come frames of some KiB
/// (``ByteWriter/appendFrame(_:)``) with these parts:
///
/// - The head has the counts of the other parts, the numbers of the history, and the vacant views.
/// - The nodes are stored by id, with key and object: nodes in the tree, removed nodes that the
///   history names, and free ids.
/// - The sequence lists the nodes of the tree in pre-order, each with the difference of its depth
///   to that of the node before.
/// - The free ids are in the order of their reuse.
/// - The changes of the data are listed by commit, the oldest first.
/// - Each view has its rule, toggled and selected nodes, order, matches of the filter, and the
///   expansion that is kept aside. Its changes by commit follow.
/// - The end has the numbers of nodes and views.
///
/// Derived data is not stored: the key table, inner nodes, marks of views, level indexes,
/// orderings, and rows of filters.
public struct TreeImage<Width: NodeWidth>: Sendable {
  /// The part that is written next.
  enum Part: Sendable {
    case start
    case head
    case nodes(next: Int)
    case sequence(leaf: Int32)
    case free(next: Int)
    case data(next: Int)
    case view(slot: Int)
    case past(slot: Int, next: Int)
    case end
    case nothing
  }

  let sequence: Forest<Width>.Sequence
  let root: Forest<Width>.Sequence.Root
  let records: ChunkedArray<NodeRecord, Width>
  let hints: NodeTable<Int32>
  let freeNodes: ChunkedArray<NodeID, Width>
  let keyArena: ByteArena
  let objectArena: ByteArena
  private let loan: Loan
  let watchers: PartedArray<Watcher<Width>>
  let vacantSlots: [Int]
  let history: TreeHistory
  private var part = Part.start
  /// The last node of the sequence that was written.
  private var lastNode: Int32 = 0

  init(of tree: borrowing SizedTree<Width>) {
    sequence = tree.editor.base.forest.sequence
    root = tree.editor.base.forest.root
    records = tree.editor.base.forest.records
    hints = tree.editor.base.forest.hints
    freeNodes = tree.editor.base.forest.freeNodes
    keyArena = tree.editor.base.forest.keyArena
    objectArena = tree.editor.base.forest.objectArena
    loan = tree.editor.base.forest.loan
    watchers = tree.editor.base.watchers
    vacantSlots = tree.editor.base.vacantSlots
    history = tree.history
  }

  /// Returns the next bytes of the image: at least `count`, or all that are left.
  ///
  /// The result ends with the frame that reaches `count`. A frame exceeds ``ImageForm/frameBytes``
  /// by at most its last part, such as the object of one node or the nodes of one view. After the
  /// end of the image, the result is empty.
  ///
  /// - Complexity: O(bytes), and O(*k* log *k*) for *k* nodes that one view has toggled or selected
  ///   or that match its filter.
  @specialized(where Width == Fanout<64>)
  public mutating func next(atLeast count: Int) -> [UInt8] {
    var writer = ByteWriter()
    while writer.bytes.count < count {
      switch part {
      case .nothing: return writer.bytes
      case .start:
        writer.append(name: ImageForm.treeName, version: ImageForm.version)
        part = .head
      default:
        writer.appendFrame { writer in
          let end = writer.bytes.count + ImageForm.frameBytes
          while writer.bytes.count < end, hasMore { write(to: &writer) }
        }
      }
    }
    return writer.bytes
  }

  private var hasMore: Bool {
    if case .nothing = part { false } else { true }
  }

  /// Writes the next item of the current part and moves on to the next.
  private mutating func write(to writer: inout ByteWriter) {
    switch part {
    case .start, .nothing: break
    case .head:
      writeHead(to: &writer)
      part = .nodes(next: 1)
    case .nodes(let next):
      // One node at a time, because its object may be long.
      if next < records.count { writeNode(NodeID(Int32(next)), to: &writer) }
      part = next + 1 < records.count ? .nodes(next: next + 1) : .sequence(leaf: firstLeaf)
    case .sequence(let leaf):
      writeLeaf(leaf, to: &writer)
      part = sequence.leaf(after: leaf).map { .sequence(leaf: $0) } ?? .free(next: 0)
    case .free(let next):
      let end = min(next + 64, freeNodes.count)
      for place in next..<end { writer.append(freeNodes[place]) }
      part = end < freeNodes.count ? .free(next: end) : .data(next: 0)
    case .data(let next):
      if let past = history.data[next] { past.write(to: &writer) }
      part = next + 1 < history.data.count ? .data(next: next + 1) : .view(slot: 0)
    case .view(let slot):
      if slot < watchers.count { watchers[slot].write(to: &writer) }
      part = past(0, ofViewAt: slot)
    case .past(let slot, let next):
      watchers[slot].history.log[next]?.write(to: &writer)
      part = past(next + 1, ofViewAt: slot)
    case .end:
      writeEnd(to: &writer)
      part = .nothing
    }
  }

  private func past(_ next: Int, ofViewAt slot: Int) -> Part {
    if slot < watchers.count, next < watchers[slot].history.log.count {
      return .past(slot: slot, next: next)
    }
    return slot + 1 < watchers.count ? .view(slot: slot + 1) : .end
  }

  private var firstLeaf: Int32 { sequence.locate(0, in: root).leaf }

  private func writeHead(to writer: inout ByteWriter) {
    writer.append(count: records.count)
    writer.append(count: freeNodes.count)
    writer.append(count: watchers.count)
    writer.append(count: history.number)
    writer.append(count: history.oldest)
    writer.append(count: history.lastSweep)
    writer.append(count: history.data.count)
    writer.append(fixed: history.seed.first)
    writer.append(fixed: history.seed.second)
    writer.append(count: vacantSlots.count)
    for slot in vacantSlots { writer.append(count: slot) }
  }

  private func writeNode(_ node: NodeID, to writer: inout ByteWriter) {
    let record = records[node.offset]
    let hint = hints.isEmpty ? nil : hints[node]
    let isLinked = node.offset < sequence.leafOf.count && sequence.leafOf[node.offset] >= 0
    let flags = NodeFlags(
      childState: record.childState,
      isLinked: isLinked,
      hasHint: hint != nil,
      hasObject: record.object.count > 0
    )
    writer.append(flags.bits)
    if !isLinked {
      writer.append(record.parent)
      writer.append(count: Int(record.childCount))
    }
    if let hint { writer.append(signed: Int(hint)) }
    writer.append(string: keyArena.span(record.key))
    if flags.hasObject { writer.append(string: objectArena.span(record.object)) }
  }

  private mutating func writeLeaf(_ leaf: Int32, to writer: inout ByteWriter) {
    for slot in 0..<sequence.count(ofLeaf: leaf) {
      let entry = sequence[leaf, slot]
      // Every tree has the forest root, so it is not stored.
      guard entry.owner > 0 else { continue }
      writer.append(signed: Int(entry.owner - lastNode))
      writer.append(signed: Int(entry.step))
      lastNode = entry.owner
    }
  }

  private func writeEnd(to writer: inout ByteWriter) {
    writer.append(count: Int(sequence.summary(of: root).count) - 1)
    writer.append(count: watchers.count { !$0.view.isVacant })
    writer.append(fixed: ImageForm.end)
  }
}
