import JSON
import TreeDomain
import TreeEngine

// Answers that are encoded while the tree is locked.
extension TreeManager {
  /// Encodes the changes of a session, in the most common and simple case.
  ///
  /// The answer must have few entries, one for each row, and no included rows. The tree must have
  /// the same single, nameless section as before. Otherwise the answer gets no text.
  ///
  /// - Parameters:
  ///   - answer: The answer without lists, which gets its text.
  ///   - list: The net difference of the engine's rows.
  ///   - session: The session.
  ///   - former: The sections before the changes.
  ///   - unloaded: The expanded nodes whose children are not loaded.
  ///   - options: The options of the answer.
  ///   - meter: Counts the entries; `nil` if there are few.
  /// - Throws: The errors of the meter.
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
