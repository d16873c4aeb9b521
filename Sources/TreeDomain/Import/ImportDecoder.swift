import JSON
import TreeEngine

/// Reads newline-delimited JSON, one node per line, as it arrives.
///
/// Lines may be split anywhere. Blank lines are skipped, but count as lines: there may be twice as
/// many lines as nodes. After an error the decoder must not be used.
package struct ImportDecoder: Sendable {
  private let limits: DecodingLimits
  private let maxLineBytes: Int
  /// The largest number of lines, including blank ones.
  ///
  /// It fits into the line number of a node.
  private let maxLines: Int
  /// The start of a line whose end has not arrived.
  private var pending: [UInt8] = []
  /// The number of lines read.
  private var lineCount = 0
  private var collected = Import()

  /// Creates a decoder before the first line.
  package init(limits: DecodingLimits = DecodingLimits()) {
    self.limits = limits
    // Each byte of a string can take six in JSON.
    let names = 2 * limits.maxKeyBytes + SectionRules.maxNameBytes
    maxLineBytes = limits.maxObjectBytes + 6 * names + 256
    maxLines = 2 * min(limits.maxNodes, Int(Int32.max / 2))
  }

  /// Reads the next bytes.
  ///
  /// - Parameter chunk: Any number of bytes. Lines may be split between chunks.
  /// - Throws: `malformed-json`, `invalid-request` or `content-too-large`, with the line number.
  ///   Byte offsets and pointers refer to the line.
  /// - Complexity: O(length of the chunk and of the incomplete line before it).
  package mutating func feed(_ chunk: [UInt8]) throws(ServiceError) {
    var cursor = BodyCursor(chunk, limits)
    var start = 0
    while let end = LineScan.end(of: chunk.span, from: start) {
      if pending.isEmpty {
        try read(start..<end, from: &cursor)
      } else {
        pending.append(contentsOf: chunk[start..<end])
        try readPending()
      }
      start = end + 1
    }
    pending.append(contentsOf: chunk[start...])
    try checkLength(pending.count)
  }

  /// Ends the input.
  ///
  /// The bytes after the last line break are a line, too.
  ///
  /// - Returns: All nodes, in the order of their lines.
  /// - Throws: As ``feed(_:)`` does.
  package mutating func finish() throws(ServiceError) -> Import {
    if !pending.isEmpty { try readPending() }
    defer { collected = Import() }
    return collected
  }

  /// The approximate memory that the nodes take until they are applied, in bytes.
  package var heldBytes: Int { pending.count + collected.heldBytes }

  private mutating func readPending() throws(ServiceError) {
    let line = pending
    pending = []
    var cursor = BodyCursor(line, limits)
    try read(line.indices, from: &cursor)
  }

  private func checkLength(_ count: Int) throws(ServiceError) {
    guard count > maxLineBytes else { return }
    var error = ServiceError(
      .contentTooLarge,
      "A line may have \(maxLineBytes) bytes, not more; store less in one node."
    )
    error.line = lineCount + 1
    error.limit = maxLineBytes
    throw error
  }

  private mutating func countLine() throws(ServiceError) {
    lineCount += 1
    guard lineCount > maxLines else { return }
    throw tooMuch(
      "An import has at most \(maxLines) lines, those that are blank included.",
      maxLines
    )
  }

  /// Reads a line, given as a range of the decoder's text.
  private mutating func read(
    _ line: Range<Int>,
    from cursor: inout BodyCursor
  ) throws(ServiceError) {
    try checkLength(line.count)
    try countLine()
    let text = cursor.reader.bytes
    guard let first = line.first(where: { !ImportDecoder.isBlank(text[$0]) }) else { return }
    do throws(ServiceError) {
      try checkRoom()
      cursor.restart(in: first..<line.upperBound)
      var node = try ImportFields.readNode(
        from: &cursor,
        text.span.extracting(..<line.upperBound)
      )
      try cursor.finish()
      node.line = Int32(lineCount)
      collected.append(node) { cursor.bytes(of: $0) }
    } catch {
      var error = syntaxFault(of: text, line) ?? error
      error.line = lineCount
      throw error
    }
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r")
  }

  private func checkRoom() throws(ServiceError) {
    guard collected.nodeCount >= limits.maxNodes else { return }
    let advice = "An import brings at most \(limits.maxNodes) nodes; send them in parts."
    throw tooMuch(advice, limits.maxNodes)
  }

  private func tooMuch(_ detail: String, _ limit: Int) -> ServiceError {
    var error = ServiceError(.contentTooLarge, detail)
    error.line = lineCount
    error.limit = limit
    return error
  }

  /// Returns the syntax error of a line, which is reported before any other error.
  private func syntaxFault(of text: [UInt8], _ line: Range<Int>) -> ServiceError? {
    var reader = JSONReader(text, in: line, maxDepth: limits.maxBodyDepth)
    do throws(JSONError) {
      _ = try reader.skipValue()
      try reader.finish()
      return nil
    } catch {
      let offset = error.offset - line.lowerBound
      return ServiceError(JSONError(error.reason, at: offset), in: "Line \(lineCount)")
    }
  }
}
