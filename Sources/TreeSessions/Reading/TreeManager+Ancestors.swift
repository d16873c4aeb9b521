import JSON
import TreeDomain
import TreeEngine

// The ancestors of a row or a node.
extension TreeManager {
  /// Returns the ancestors of a node, from the root down; if they are many, only the nearest.
  ///
  /// - Throws: `node-not-found`, `revision-changed`, and the errors of ``demand(_:)``.
  /// - Complexity: O(*a* log *n*) for *a* ancestors in the answer.
  func ancestors(
    of key: [UInt8],
    _ session: OpenSession,
    _ fields: RowFields?,
    _ expected: Revision?
  ) throws(ServiceError) -> Ancestors {
    try session.check(expected)
    let places = sectionRows(of: session)
    let node = try find(key[...])
    var above: [NodeID] = []
    var next = tree.parent(of: node)
    while !isSection(next), above.count < maxListedAncestors {
      above.append(next)
      try meter.count()
      next = tree.parent(of: next)
    }
    try demand(nodes: above.count)
    above = Array(above.prefix(try countFitting(above, fields)))
    var writer = JSONWriter()
    writer.beginArray()
    if let fields {
      write(rowsAbove: above, of: session, fields, places, to: &writer)
    } else {
      // The engine counts sections as depth 0.
      let depth = tree.depth(of: node) - 1
      for (distance, ancestor) in zip(1..., above).reversed() {
        Ancestor.write(
          key: tree.key(of: ancestor).span,
          index: rowIndex(of: ancestor, in: session, places),
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
  /// - Throws: The errors of ``demand(_:)``.
  func ancestors(
    ofRow row: Int,
    _ query: AncestorQuery,
    _ session: OpenSession,
    _ places: SectionRows
  ) throws(ServiceError) -> [(row: OutlinedRow, index: Int)] {
    guard query.limit > 0 else { return [] }
    let engineRow = places.engineRow(of: row)
    let limit = min(maxListedAncestors, query.limit)
    let above = tree.ancestors(ofRow: engineRow, atMost: limit, in: session.view)
    try demand(nodes: above.count)
    // Few ancestors fit even with the longest keys.
    if query.fields == nil, above.count * Self.maxPlainBytes <= maxAncestorBytes { return above }
    return Array(above.prefix(try countFitting(above.map(\.row.node), query.fields)))
  }

  /// Writes the rows of ancestors, from the root down.
  func write(
    _ above: [(row: OutlinedRow, index: Int)],
    _ query: AncestorQuery,
    of session: OpenSession,
    _ places: SectionRows,
    to writer: inout JSONWriter
  ) {
    // The row without a parent is a section.
    let above = above.prefix { $0.row.parent != .forestRoot }
    if let fields = query.fields {
      let nodes = above.map(\.row.node)
      return write(rowsAbove: nodes, of: session, fields, places, to: &writer)
    }
    let keys = tree.keyBytes()
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
  /// - Throws: The errors of ``demand(_:)``.
  private func countFitting(
    _ nearestFirst: [NodeID],
    _ fields: RowFields?
  ) throws(ServiceError) -> Int {
    var bytes = 0
    var count = 0
    for node in nearestFirst {
      try meter.count()
      let strings = tree.stringSlices(of: node)
      let key = JSONWriter.byteCount(ofString: tree.key(of: node).span)
      // A row contains the key of its parent as well.
      bytes += fields == nil ? Self.plainBytes + key : Self.rowBytes + 2 * key
      if fields?.contains(.object) == true { bytes += strings.object.count }
      guard count == 0 || bytes <= maxAncestorBytes else { break }
      count += 1
    }
    try demand(WorkSize(nodes: count, bytes: bytes))
    return count
  }

  /// The maximum size of a row without its strings in bytes.
  private static var rowBytes: Int { 256 }
  /// The maximum size of an ancestor with key, index and depth, without its key, in bytes.
  private static var plainBytes: Int { 64 }
  /// The maximum size of an ancestor with key, index and depth in bytes.
  private static var maxPlainBytes: Int { 4_096 }
  /// The maximum size of the ancestors in an answer in bytes, unless there is only one.
  private var maxAncestorBytes: Int { min(limits.maxAncestorBytes, limits.maxAnswerBytes) }

  /// Writes the rows of nodes that are given nearest first, in the opposite order.
  private func write(
    rowsAbove nodes: [NodeID],
    of session: OpenSession,
    _ fields: RowFields,
    _ places: SectionRows,
    to writer: inout JSONWriter
  ) {
    var former = JSONWriter()
    swap(&former, &writer)
    let fields = fields.shown(in: self, session)
    var writing = RowWriting(fields, places, of: self, behind: former)
    for node in nodes.reversed() {
      writing.write([tree.row(of: node, in: session.view)], of: self)
    }
    writer = writing.end()
  }
}
