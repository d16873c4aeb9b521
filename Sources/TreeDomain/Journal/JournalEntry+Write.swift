package import JSON
import TreeEngine

/// The members of an entry's first line.
enum JournalField: String, CaseIterable {
  case event, session, time, single, named, key, fingerprint, changes, sections, rows, fields
  static let table = FieldTable<JournalField>()
}

/// The names of events.
enum JournalEventName: String, CaseIterable {
  case makeTree, openSession, closeSession, batch, patch, importNodes
  static let table = FieldTable<JournalEventName>()
}

extension JournalEntry {
  /// Returns the entry as text.
  ///
  /// See ``write(to:)``.
  ///
  /// - Precondition: The event was read from a request.
  /// - Complexity: O(length).
  package func encoded() -> [UInt8] {
    var writer = JSONWriter()
    write(to: &writer)
    return writer.finish()
  }

  /// Writes the entry: a line of JSON that describes it, then the unchanged body of the request.
  ///
  /// The lines of an import are written again from its nodes.
  ///
  /// - Precondition: The event was read from a request, and the writer is at the start of a value
  ///   or line.
  /// - Complexity: O(length).
  package func write(to writer: inout JSONWriter) {
    let body = body
    writer.reserve(Self.usualHeadBytes + body.count)
    let name = name.rawValue
    // The object stays open for further members.
    writer.value(roomFor: 128) { out in
      out.put(#"{"event":"#)
      out.put(string: name.utf8Span.span)
      out.put(#","time":"#)
      out.put(time)
      if let session {
        out.put(#","session":"#)
        session.put(to: &out)
      }
    }
    if case .batch(let batch) = event { writeSource(of: batch, to: &writer) }
    writeOptions(to: &writer)
    writer.endObject()
    writer.endLine()
    if case .importNodes(let nodes) = event {
      nodes.write(to: &writer)
    } else {
      writer.raw(body)
    }
  }

  /// The size of the first line of most entries, in bytes, rounded up.
  private static let usualHeadBytes = 256

  private var name: JournalEventName {
    switch event {
    case .makeTree: .makeTree
    case .openSession: .openSession
    case .closeSession: .closeSession
    case .batch: .batch
    case .patch: .patch
    case .importNodes: .importNodes
    }
  }

  private func writeSource(of batch: Batch, to writer: inout JSONWriter) {
    guard let single = batch.source?.single else { return }
    writer.name("single")
    writer.string(single.rawValue)
    guard let named = batch.source?.named else { return }
    writer.name("named")
    writer.string(batch[named])
  }

  private func writeOptions(to writer: inout JSONWriter) {
    guard let key = options.idempotency else { return }
    writer.name("key")
    writer.string(key.token[...])
    writer.name("fingerprint")
    writer.integer(key.fingerprint)
    writer.name("changes")
    writer.string(options.format.rawValue)
    writer.name("sections")
    writer.boolean(options.isSectioned)
    writer.name("rows")
    writer.integer(options.includedRows)
    writer.name("fields")
    writer.integer(Int(options.fields.rawValue))
  }

  /// The body of the request; empty for an import, whose lines are written from its nodes.
  private var body: ArraySlice<UInt8> {
    switch event {
    case .makeTree(let tree): tree.bytes.prefix(written(tree.bodyCount))
    case .openSession(let session): session.bytes.prefix(written(session.bodyCount))
    case .closeSession, .importNodes: []
    case .batch(let batch): batch.bytes.prefix(written(batch.source?.bodyCount))
    case .patch(let patch): (patch.body ?? [])[...]
    }
  }

  private func written(_ count: Int?) -> Int {
    guard let count else { preconditionFailure("what is to be kept was read from a request") }
    return count
  }
}

extension Import {
  /// Writes the nodes as lines of an import.
  func write(to writer: inout JSONWriter) {
    for part in parts {
      for node in part.nodes { part.line(of: node).write(to: &writer) }
    }
  }
}

extension Import.Part {
  fileprivate func line(of node: Import.ImportedNode) -> ExportLine {
    var line = ExportLine(
      key: self[node.key],
      parent: nil,
      object: self[node.object],
      childState: node.childState,
      hasChildren: false,
      hint: node.hint.map { Int($0) }
    )
    switch node.above {
    case .nothing: break
    case .parent(let key): line.parent = self[key]
    case .section(let name): line.section = self[name]
    }
    return line
  }
}
