public import JSON
import TreeEngine

// The one way in which entries of rows are written.
extension Change.Kind {
  /// The most bytes that ``putRows(key:depth:parent:runOf:into:)`` puts, but for the keys.
  public static var rowsRoom: Int { 512 }

  /// Whether it happened to a section, not to rows.
  var isOfSection: Bool {
    switch self {
    case .delete, .insert, .move, .update: false
    case .deleteSection, .insertSection, .moveSection, .updateSection: true
    }
  }

  /// Puts the members that tell of rows, each with a comma before it: what happened to them, which
  /// they are, where they were and are, and what is told of a single one.
  ///
  /// - Precondition: It happened to rows, not to a section.
  /// - Parameters:
  ///   - key: The key of a single row; `nil` where nobody knows it, or there are several.
  ///   - depth: How deep it is, or all of several are; `nil` where that is not told.
  ///   - parent: The key of the parent; `nil` at a root.
  ///   - count: How many rows a run has; `nil` where there are no runs.
  ///   - out: Where they go. It is handed back: given its address, the compiler would have to keep
  ///     it in memory.
  /// - Returns: The room behind them.
  public func putRows(
    key: Span<UInt8>?,
    depth: Int?,
    parent: Span<UInt8>?,
    runOf count: Int? = nil,
    into out: consuming JSONRoom
  ) -> JSONRoom {
    switch self {
    case .delete(let index):
      out.put(#","type":"delete""#)
      Self.putWhere(index, nil, key, count, to: &out)
    case .insert(let newIndex):
      out.put(#","type":"insert""#)
      Self.putWhere(nil, newIndex, key, count, to: &out)
      if let depth { Self.putStanding(depth, parent, to: &out) }
    case .move(let index, let newIndex):
      out.put(#","type":"move""#)
      Self.putWhere(index, newIndex, key, count, to: &out)
      if let depth { Self.putStanding(depth, parent, to: &out) }
    case .update(let index, let newIndex, let fields):
      out.put(#","type":"update""#)
      Self.putWhere(index, newIndex, key, count, to: &out)
      fields.put(to: &out)
    case .deleteSection, .insertSection, .moveSection, .updateSection:
      preconditionFailure("entries of sections are written elsewhere")
    }
    return out
  }

  /// Puts which the rows are and where, before and after, and how many where they are a run.
  @inline(always)
  private static func putWhere(
    _ index: Int?,
    _ newIndex: Int?,
    _ key: Span<UInt8>?,
    _ count: Int?,
    to out: inout JSONRoom
  ) {
    if let key { out.put(#","key":""#, string: key) }
    putPlaces(index, newIndex, to: &out)
    if let count { out.put(#","count":"#, count) }
  }

  /// Puts the place before and the place after, as far as there is one.
  @inline(always)
  static func putPlaces(_ index: Int?, _ newIndex: Int?, to out: inout JSONRoom) {
    if let index { out.put(#","index":"#, index) }
    if let newIndex { out.put(#","newIndex":"#, newIndex) }
  }

  /// Puts how deep a row is, and under what.
  @inline(always)
  private static func putStanding(
    _ depth: Int,
    _ parent: Span<UInt8>?,
    to out: inout JSONRoom
  ) {
    out.put(#","depth":"#, depth)
    if let parent {
      out.put(#","parent":""#, string: parent)
    } else {
      out.put(#","parent":null"#)
    }
  }
}

extension ChangeList.UpdatedFields {
  /// Puts the names of the members as a list, in the order of the contract.
  @inline(always)
  func put(to out: inout JSONRoom) {
    out.put(#","fields":"#)
    out.putArray { out in
      if contains(.object) { out.put(#","object""#) }
      if contains(.expanded) { out.put(#","expanded""#) }
      if contains(.childState) { out.put(#","childState""#) }
      if contains(.childCount) { out.put(#","childCount""#) }
      if contains(.selected) { out.put(#","selected""#) }
      if contains(.matched) { out.put(#","matched""#) }
    }
  }
}
