import JSON
import TreeDomain
import TreeEngine

/// A reading of the ancestors of a session's rows and nodes.
struct AncestorReading {
  private let session: OpenSession
  /// The sections among the session's rows.
  private let places: SectionRows

  init(_ session: OpenSession, _ places: SectionRows) {
    (self.session, self.places) = (session, places)
  }

  /// Returns the ancestors of a node, from the root down; if they are many, only the nearest.
  ///
  /// - Throws: `node-not-found`, and the errors of ``TreeContent/demand(_:)``.
  /// - Complexity: O(*a* log *n*) for *a* ancestors in the answer.
  func ancestors(
    of key: [UInt8],
    _ fields: RowFields?,
    in content: borrowing TreeContent
  ) throws(ServiceError) -> Ancestors {
    let node = try content.find(key[...])
    var above: [NodeID] = []
    var next = content.tree.parent(of: node)
    while !content.tree.isSection(next), above.count < content.maxListedAncestors {
      above.append(next)
      try content.meter.count()
      next = content.tree.parent(of: next)
    }
    try content.demand(nodes: above.count)
    above = Array(above.prefix(try countFitting(above, fields, content)))
    var writer = JSONWriter()
    writer.beginArray()
    if let fields {
      write(rowsAbove: above, fields, to: &writer, content)
    } else {
      // The engine counts sections as depth 0.
      let depth = content.tree.depth(of: node) - 1
      for (distance, ancestor) in zip(1..., above).reversed() {
        Ancestor.write(
          key: content.tree.key(of: ancestor).span,
          index: content.rowIndex(of: ancestor, in: session, places),
          depth: depth - distance,
          to: &writer
        )
      }
    }
    writer.endArray()
    return Ancestors(session: session.id, revision: session.revision, ancestors: writer.finish())
  }

  /// Returns the ancestors of a row that a query asks for, nearest first.
  ///
  /// Sections are included.
  ///
  /// - Throws: The errors of ``TreeContent/demand(_:)``.
  func ancestors(
    ofRow row: Int,
    _ query: AncestorQuery,
    in content: borrowing TreeContent
  ) throws(ServiceError) -> [(row: OutlinedRow, index: Int)] {
    guard query.limit > 0 else { return [] }
    let engineRow = places.engineRow(of: row)
    let limit = min(content.maxListedAncestors, query.limit)
    let above = content.tree.ancestors(ofRow: engineRow, atMost: limit, in: session.view)
    try content.demand(nodes: above.count)
    // Few ancestors fit even with the longest keys.
    if query.fields == nil, above.count * Self.maxPlainBytes <= maxBytes(content) { return above }
    return Array(above.prefix(try countFitting(above.map(\.row.node), query.fields, content)))
  }

  /// Writes the rows of ancestors, from the root down.
  func write(
    _ above: [(row: OutlinedRow, index: Int)],
    _ query: AncestorQuery,
    to writer: inout JSONWriter,
    in content: borrowing TreeContent
  ) {
    // The row without a parent is a section.
    let above = above.prefix { $0.row.parent != .forestRoot }
    if let fields = query.fields {
      let nodes = above.map(\.row.node)
      return write(rowsAbove: nodes, fields, to: &writer, content)
    }
    let keys = content.tree.keyBytes()
    for (row, index) in above.reversed() {
      Ancestor.write(
        key: keys.span(of: row.key),
        index: places.location(of: index).row,
        depth: row.depth - 1,
        to: &writer
      )
    }
  }

  /// Returns the number of nearest ancestors that fit in an answer, at least one.
  ///
  /// - Throws: The errors of ``TreeContent/demand(_:)``.
  private func countFitting(
    _ nearestFirst: [NodeID],
    _ fields: RowFields?,
    _ content: borrowing TreeContent
  ) throws(ServiceError) -> Int {
    var bytes = 0
    var count = 0
    for node in nearestFirst {
      try content.meter.count()
      let strings = content.tree.stringSlices(of: node)
      let key = JSONWriter.byteCount(ofString: content.tree.key(of: node).span)
      // A row contains the key of its parent as well.
      bytes += fields == nil ? Self.plainBytes + key : Self.rowBytes + 2 * key
      if fields?.contains(.object) == true { bytes += strings.object.count }
      guard count == 0 || bytes <= maxBytes(content) else { break }
      count += 1
    }
    try content.demand(WorkSize(nodes: count, bytes: bytes))
    return count
  }

  /// The maximum size of a row without its strings in bytes.
  private static var rowBytes: Int { 256 }
  /// The maximum size of an ancestor with key, index and depth, without its key, in bytes.
  private static var plainBytes: Int { 64 }
  /// The maximum size of an ancestor with key, index and depth in bytes.
  private static var maxPlainBytes: Int { 4_096 }
  /// The maximum size of the ancestors in an answer in bytes, unless there is only one.
  private func maxBytes(_ content: borrowing TreeContent) -> Int {
    min(content.limits.maxAncestorBytes, content.limits.maxAnswerBytes)
  }

  /// Writes the rows of nodes that are given nearest first, in the opposite order.
  private func write(
    rowsAbove nodes: [NodeID],
    _ fields: RowFields,
    to writer: inout JSONWriter,
    _ content: borrowing TreeContent
  ) {
    var former = JSONWriter()
    swap(&former, &writer)
    let fields = fields.shown(in: content, session)
    var writing = RowWriting(fields, places, of: content, behind: former)
    for node in nodes.reversed() {
      writing.write([content.tree.row(of: node, in: session.view)], of: content)
    }
    writer = writing.end()
  }
}
