package import JSON
import TreeEngine

// The only writer of entries for rows.
extension Change.Kind {
  /// The most bytes that ``putRows(key:depth:parent:runOf:into:)`` writes, without the keys.
  package static var rowsRoom: Int { 512 }

  /// True for a change of a section, false for a change of rows.
  var isOfSection: Bool {
    switch self {
    case .delete, .insert, .move, .update: false
    case .deleteSection, .insertSection, .moveSection, .updateSection: true
    }
  }

  /// Writes the members of an entry for rows, each with a comma before it.
  ///
  /// These are the type, the key, the indexes, and the count of a run. An insertion or a move can
  /// also have the depth and the parent; an update has the changed fields.
  ///
  /// - Precondition: The entry is about rows, not about a section.
  /// - Parameters:
  ///   - key: The key of a single row; `nil` if unknown or for several rows.
  ///   - depth: The common depth of the rows; `nil` to leave out depth and parent.
  ///   - parent: The key of the parent; `nil` at a root.
  ///   - count: The number of rows in a run; `nil` in a format without runs.
  ///   - out: The output. It is passed by value, because by reference it would have to stay in
  ///     memory.
  /// - Returns: The output after the members.
  package func putRows(
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
      if let depth { Self.putPosition(depth, parent, to: &out) }
    case .move(let index, let newIndex):
      out.put(#","type":"move""#)
      Self.putWhere(index, newIndex, key, count, to: &out)
      if let depth { Self.putPosition(depth, parent, to: &out) }
    case .update(let index, let newIndex, let fields):
      out.put(#","type":"update""#)
      Self.putWhere(index, newIndex, key, count, to: &out)
      fields.put(to: &out)
    case .deleteSection, .insertSection, .moveSection, .updateSection:
      preconditionFailure("entries of sections are written elsewhere")
    }
    return out
  }

  /// Writes the key, the former and the new index, and the count of a run.
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

  /// Writes the former and the new index, if there are any.
  @inline(always)
  static func putPlaces(_ index: Int?, _ newIndex: Int?, to out: inout JSONRoom) {
    if let index { out.put(#","index":"#, index) }
    if let newIndex { out.put(#","newIndex":"#, newIndex) }
  }

  /// Writes the depth and the parent of a row.
  @inline(always)
  private static func putPosition(
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
  /// Writes the names of the updated members as a list, in the order of the contract.
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
