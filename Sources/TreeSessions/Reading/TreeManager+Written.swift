import JSON
import TreeDomain
import TreeEngine

// Answers that are written while the tree is held.
extension TreeManager {
  /// Writes what changed, where that is as simple as it mostly is: few entries, one a row, of a
  /// tree that has no sections but the one it had, and no rows that come along.
  ///
  /// - Parameters:
  ///   - answer: The answer, without lists; it gets its text, unless it is not that simple, or not
  ///     wanted.
  ///   - list: The net difference of the engine's rows.
  ///   - session: Whose rows they are.
  ///   - former: The sections before.
  ///   - unloaded: The nodes that were expanded though nobody supplied their children yet.
  ///   - options: How to answer.
  ///   - meter: Counts the entries; `nil` for few.
  /// - Throws: What the meter throws.
  func writeText(
    of answer: inout BatchAnswer,
    with list: ChangeList,
    for session: OpenSession,
    _ former: TreeSections,
    _ unloaded: [NodeID],
    _ options: BatchOptions,
    _ meter: WorkMeter?
  ) throws(ServiceError) {
    guard options.isWritten, options.format == .rows, options.includedRows == 0,
      !options.isSectioned,
      !sections.isShown, !former.isShown, firstSection == former.all[0].node
    else { return }
    let entryCount = list.rowEntryCount
    guard entryCount <= limits.maxChanges else { return }
    try meter?.count(entryCount + unloaded.count)
    var writing = EntryWriting(of: self, maxBytes: limits.maxAnswerBytes / 2, meter)
    var writer = JSONWriter()
    writer.reserve(512 + 192 * min(entryCount, 1_024))
    answer.write(to: &writer) { writer in
      writing.write(list, of: session.view, in: self, to: &writer)
    } unloaded: { writer in
      writing.write(keysOf: unloaded, in: self, to: &writer)
    }
    if let refusal = writing.refusal { throw refusal }
    if !writing.isOverfull { answer.text = writer.finish() }
  }
}
