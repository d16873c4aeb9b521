import TreeDomain
import TreeEngine

extension TreeManager {
  /// What the running transaction did to the rows, as the client wants it told.
  func answer(since previous: Revision, _ options: BatchOptions) -> BatchAnswer {
    let list = tree.changes(of: view)
    let isRanges = options.format == .ranges || list.rowEntryCount > limits.maxChanges
    var writing = ChangeWriting(options)
    if isRanges {
      writing.writeRanges(list, of: self)
    } else {
      writing.writeRows(list, of: self)
    }
    var answer = BatchAnswer(
      session: session,
      previousRevision: previous,
      revision: revision,
      treeRevision: treeRevision,
      rowCount: tree.rowCount(of: view),
      nodeCount: tree.nodeCount,
      format: isRanges ? .ranges : .rows
    )
    for node in tree.expandedUnloaded(in: view) {
      answer.unloaded.append(writing.string(node, in: self))
    }
    answer.changes = writing.changes
    answer.rows = writing.rows
    answer.fields = options.fields
    answer.arena = writing.arena.bytes
    return answer
  }
}
