import JSON
import TreeDomain
import TreeEngine

// The nodes above a row or a node.
extension TreeManager {
  /// The way from the root down to a node's parent.
  func ancestors(
    of key: [UInt8],
    _ session: OpenSession,
    _ fields: RowFields?,
    _ expected: Revision?
  ) throws(ServiceError) -> Ancestors {
    try session.check(expected)
    let places = sectionRows(of: session)
    var above: [NodeID] = []
    var next = tree.parent(of: try find(key[...]))
    while !isSection(next) {
      above.append(next)
      try meter.count()
      try demand(nodes: above.count)
      next = tree.parent(of: next)
    }
    if let fields { above = Array(above.prefix(try countFitting(above, fields))) }
    var writer = JSONWriter()
    writer.beginArray()
    if let fields {
      write(rowsAbove: above, of: session, fields, places, to: &writer)
    } else {
      for (depth, node) in above.reversed().enumerated() {
        Ancestor.write(
          key: tree.key(of: node).span,
          index: rowIndex(of: node, in: session, places),
          depth: depth,
          to: &writer
        )
      }
    }
    writer.endArray()
    return Ancestors(session: session.id, revision: session.revision, ancestors: writer.finish())
  }

  /// The rows above one that a query wants, the nearest first; sections are among them.
  ///
  /// - Throws: As ``demand(_:)``.
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
    guard let fields = query.fields else { return above }
    return Array(above.prefix(try countFitting(above.map(\.row.node), fields)))
  }

  /// Writes rows of the engine that are above one, the root's first.
  func write(
    _ above: [(row: OutlinedRow, index: Int)],
    _ query: AncestorQuery,
    of session: OpenSession,
    _ places: SectionRows,
    to writer: inout JSONWriter
  ) {
    // The one that stands under nothing is a section.
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

  /// Returns how many of the nearest ancestors an answer has room for, with the members wanted.
  ///
  /// - Throws: As ``demand(_:)``.
  private func countFitting(
    _ nearestFirst: [NodeID],
    _ fields: RowFields
  ) throws(ServiceError) -> Int {
    var bytes = 0
    var count = 0
    for node in nearestFirst {
      try meter.count()
      let strings = tree.stringSlices(of: node)
      bytes += Self.rowBytes + 2 * strings.key.count
      if fields.contains(.object) { bytes += strings.object.count }
      guard bytes <= limits.maxAnswerBytes else { break }
      count += 1
    }
    try demand(WorkSize(nodes: count, bytes: bytes))
    return count
  }

  /// About how many bytes a row takes at most beside its strings.
  private static var rowBytes: Int { 256 }

  /// Writes the rows of nodes, the nearest of which come first, in the opposite order.
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
