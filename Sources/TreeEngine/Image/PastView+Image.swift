extension PastView {
  func write(to writer: inout ByteWriter) {
    writer.append(count: number)
    writer.append(count: Int(rowCountBefore))
    writer.append(count: splices.all.count)
    for splice in splices.all { splice.write(to: &writer) }
    writer.append(details.value != nil)
    details.value?.write(to: &writer)
  }

  /// Reads the effect of a commit that ``write(to:)`` has written.
  ///
  /// - Parameters:
  ///   - reader: The input.
  ///   - nodeIDs: The number of node ids.
  /// - Throws: ``ImageError/damaged``.
  init(from reader: inout ByteReader, nodeIDs: Int) throws(ImageError) {
    self.init(number: try reader.count(), rowCountBefore: try reader.rows())
    for _ in 0..<(try reader.count(upTo: 2)) {
      let splice = try RowSplice<Width>(from: &reader, rowCount: rowCountAfter, nodeIDs: nodeIDs)
      guard splices.add(splice) else { throw .damaged }
    }
    if splices.hasHalves, !splices.isUnlistedMove { throw .damaged }
    if try reader.bool() {
      let details = try Details(from: &reader, nodeIDs: nodeIDs)
      try check(details)
      self.details.value = details
    }
  }

  /// The number of rows after the commit.
  var rowCountAfter: Int32 {
    var rows = rowCountBefore
    for splice in splices.all { rows += splice.isDeletion ? -splice.count : splice.count }
    for run in details.value?.runs ?? [] {
      switch run.kind {
      case .retained: break
      case .inserted: rows += run.count
      case .deleted: rows -= run.count
      }
    }
    return rows
  }

  /// Checks that the details fit the number of rows.
  private func check(_ details: Details) throws(ImageError) {
    guard splices.isEmpty || details.runs.isEmpty else { throw .damaged }
    var (before, after) = (Int(rowCountBefore), Int(rowCountBefore))
    for run in details.runs {
      switch run.kind {
      case .retained: before -= Int(run.count)
      case .inserted: after += Int(run.count)
      case .deleted:
        before -= Int(run.count)
        let end = Int(run.list) + Int(run.count)
        guard run.list < 0 || end <= details.listed.count else { throw .damaged }
      }
    }
    guard before >= 0, after <= Int(Int32.max) else { throw .damaged }
  }
}

extension FewSplices {
  fileprivate var all: [RowSplice<Width>] { [first, second].compactMap(\.self) }

  fileprivate var hasHalves: Bool { all.contains { $0.cause == .unlistedMove } }
}

extension RowSplice {
  /// Writes the parts of a splice that the history keeps.
  fileprivate func write(to writer: inout ByteWriter) {
    // Bit 0: rows were deleted. Bit 1: half of an unlisted move.
    writer.append((isDeletion ? 1 : 0) | (cause == .unlistedMove ? 2 : 0) as UInt8)
    writer.append(count: Int(row))
    writer.append(count: Int(count))
    writer.append(listed != nil)
    if let listed { writer.append(listed) }
  }

  fileprivate init(
    from reader: inout ByteReader,
    rowCount: Int32,
    nodeIDs: Int
  ) throws(ImageError) {
    let bits = try reader.byte()
    guard bits < 4 else { throw .damaged }
    let isDeletion = bits & 1 > 0
    let row = try reader.rows(upTo: rowCount)
    let count = try reader.rows(upTo: isDeletion ? rowCount - row : .max - rowCount)
    self.init(row: row, count: count, isDeletion: isDeletion)
    if bits & 2 > 0 { cause = .unlistedMove }
    guard try reader.bool() else { return }
    listed = try reader.listed(of: nodeIDs)
    guard isDeletion, cause == .other, listed?.count == Int(count) else { throw .damaged }
  }
}

extension PastView.Details {
  fileprivate func write(to writer: inout ByteWriter) {
    writer.append(isReordering)
    writer.append(count: runs.count)
    for run in runs {
      writer.append(run.kind.rawValue)
      writer.append(count: Int(run.count))
      if run.kind == .deleted { writer.append(signed: Int(run.list)) }
    }
    writer.append(listed)
    writer.append(count: marks.count)
    for (node, mark) in marks {
      writer.append(node)
      writer.append(mark.code)
    }
    writer.append(expansion != nil)
    if let expansion {
      writer.append(expansion.rule)
      writer.append(set: expansion.toggled)
    }
    writer.append(filter != nil)
    if let filter { filter.write(to: &writer) }
  }

  fileprivate init(from reader: inout ByteReader, nodeIDs: Int) throws(ImageError) {
    isReordering = try reader.bool()
    for _ in 0..<(try reader.count(upTo: reader.remaining)) {
      guard let kind = RowDelta<Width>.Kind(rawValue: try reader.byte()) else { throw .damaged }
      let count = try reader.rows()
      let list = kind == .deleted ? try reader.number(near: 0) : -1
      guard count > 0, list >= -1 else { throw .damaged }
      runs.append(PastView.Run(kind: kind, count: count, list: list))
    }
    listed = try reader.listed(of: nodeIDs)
    for _ in 0..<(try reader.count(upTo: reader.remaining)) {
      let node = try reader.node(of: nodeIDs)
      marks.append((node, try PastView.Mark(code: reader.byte())))
    }
    if try reader.bool() {
      let rule = try reader.rule()
      expansion = PastView.Expansion(rule: rule, toggled: Set(try reader.nodes(of: nodeIDs)))
    }
    if try reader.bool() { filter = try FilterBefore(from: &reader, nodeIDs: nodeIDs) }
  }
}

extension PastView.Mark {
  fileprivate var code: UInt8 {
    switch self {
    case .toggled(let was): was ? 1 : 0
    case .selected(let was): was ? 3 : 2
    case .matched(let was): was ? 5 : 4
    case .expandedUnloaded: 6
    case .expanded(let was): was ? 8 : 7
    }
  }

  fileprivate init(code: UInt8) throws(ImageError) {
    switch code {
    case 0, 1: self = .toggled(code == 1)
    case 2, 3: self = .selected(code == 3)
    case 4, 5: self = .matched(code == 5)
    case 6: self = .expandedUnloaded
    case 7, 8: self = .expanded(code == 8)
    default: throw .damaged
    }
  }
}

extension FilterBefore {
  /// Writes the members, and which of them match.
  ///
  /// Their counts of children are not needed.
  fileprivate func write(to writer: inout ByteWriter) {
    writer.append(members != nil)
    guard let members else { return }
    writer.append(set: members.nodes(matched: false))
    writer.append(set: members.nodes(matched: true))
  }

  fileprivate init(from reader: inout ByteReader, nodeIDs: Int) throws(ImageError) {
    self.init(members: nil)
    guard try reader.bool() else { return }
    var members = NodeTable<FilterMember>()
    for node in try reader.nodes(of: nodeIDs) { members[node] = FilterMember() }
    for node in try reader.nodes(of: nodeIDs) { members[node] = FilterMember(isMatched: true) }
    self.members = members
  }
}
