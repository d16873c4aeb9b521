import JSON
import TreeDomain
import TreeEngine

/// The answer of a session to a request that changed something, in its encoded form.
///
/// Lists are only in the text. The enum is indirect, because answers are passed around and many are
/// kept.
indirect enum SessionAnswer: Replayable {
  case batch(BatchAnswer)
  case patch(PatchAnswer)

  /// Makes an answer to a batch.
  ///
  /// - Precondition: The answer has its text.
  init(_ answer: BatchAnswer) { self = .batch(answer.withoutLists) }

  /// Makes an answer to a patch.
  ///
  /// - Precondition: The answer has its text.
  init(_ answer: PatchAnswer) {
    self = .patch(PatchAnswer(answer.description, answer.list.withoutLists))
  }

  /// The approximate memory in bytes.
  var weight: Int {
    switch self {
    case .batch(let answer): 256 + (answer.text?.count ?? 0)
    case .patch(let answer):
      512 + (answer.list.text?.count ?? 0) + answer.description.options.byteCount
    }
  }

  func write(to writer: inout ByteWriter) {
    switch self {
    case .batch(let answer):
      writer.append(false)
      answer.writeHead(to: &writer)
    case .patch(let answer):
      writer.append(true)
      answer.description.write(to: &writer)
      answer.list.writeHead(to: &writer)
    }
  }

  init(reading reader: inout ByteReader) throws(ImageError) {
    if try reader.bool() {
      let description = try SessionDescription(reading: &reader)
      self = .patch(PatchAnswer(description, try BatchAnswer(readingHead: &reader)))
    } else {
      self = .batch(try BatchAnswer(readingHead: &reader))
    }
  }
}

extension BatchAnswer {
  fileprivate var withoutLists: BatchAnswer {
    var head = self
    (head.changes, head.unloaded, head.rows, head.arena) = ([], [], WrittenRows(), [])
    if let text {
      // Without the room that was left for writing more.
      var exact: [UInt8] = []
      exact.reserveCapacity(text.count)
      exact += text
      head.text = exact
    }
    return head
  }

  fileprivate func writeHead(to writer: inout ByteWriter) {
    writer.append(string: session.bytes[...])
    for revision in [previousRevision, revision, treeRevision] { writer.append(revision) }
    writer.append(count: rowCount)
    writer.append(count: nodeCount)
    writer.append(count: ChangeFormat.allCases.firstIndex(of: format) ?? 0)
    writer.append(hasCreatedNode)
    writer.append(string: (text ?? [])[...])
  }

  fileprivate init(readingHead reader: inout ByteReader) throws(ImageError) {
    self.init(
      session: try reader.sessionID(),
      previousRevision: try reader.revision(),
      revision: try reader.revision(),
      treeRevision: try reader.revision(),
      rowCount: try reader.count(),
      nodeCount: try reader.count(),
      format: try reader.changeFormat()
    )
    hasCreatedNode = try reader.bool()
    text = Array(try reader.string())
  }
}

extension BatchAnswer {
  /// The approximate memory of the answer in bytes.
  var weight: Int {
    // On average, the capacity of an array exceeds its count by a quarter.
    256 + (arena.count + rows.text.count) * 5 / 4 + 80 * changes.count + 8 * rows.count
  }
}

/// The revisions in an answer, and the author of the changes between them.
struct AnswerRevisions {
  var previous: Revision
  var now: Revision
  var tree: Revision
  /// The author of the changes; `nil` if the answer does not name one.
  var origin: ChangeOrigin?
}

/// Facts about a batch that its answer contains besides the changes.
struct AnswerTraits {
  /// True if an operation was a put that made a node.
  var hasCreatedNode = false
  /// The key of the node whose row index the answer contains; `nil` for none.
  var revealedKey: ArraySlice<UInt8>?
}
