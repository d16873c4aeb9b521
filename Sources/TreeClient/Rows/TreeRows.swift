/// The data of a ``TreeView``: a sparse list of rows by index, without any network.
///
/// The held rows are of one revision if ``apply(_:rowCount:)`` is called with every change list in
/// order. Rows whose members are no longer known are stale. They are kept until they are read
/// again.
///
/// The cost of a call depends on the held rows and the entries of the list, not on the number of
/// all rows.
public struct TreeRows<Object: Decodable & Sendable>: Sendable {
  /// A held row.
  fileprivate struct Slot: Sendable {
    var index: Int
    var row: Row<Object>
    var isStale = false
  }

  /// A run of rows that leave, by indexes before the change.
  fileprivate struct Leaving: Sendable {
    var start: Int
    var count: Int
    /// The new index of rows that move; nil for deleted ones.
    var target: Int?
    var depth: Int?
    var parent: String?
    var section: String?
    var end: Int { start + count }
  }

  /// A run of rows that arrive, by indexes after the change.
  fileprivate struct Arriving: Sendable {
    var start: Int
    var count: Int
    var rows: [Row<Object>]
  }

  /// The slots, ascending by index.
  private var slots: [Slot] = []
  private var indexes: [String: Int] = [:]
  private var leaving: [Leaving] = []
  private var arriving: [Arriving] = []
  private let hasDerivedMembers: Bool
  /// The number of all rows, held or not.
  public var rowCount = 0

  /// Creates a list that holds no rows.
  ///
  /// - Parameter hasDerivedMembers: True if rows have members that depend on other rows, such as
  ///   `position`. All rows are then stale after each change of structure.
  public init(hasDerivedMembers: Bool = false) { self.hasDerivedMembers = hasDerivedMembers }

  /// The number of held rows.
  public var count: Int { slots.count }

  /// Returns the row at an index; nil if it is not held.
  public subscript(index: Int) -> Row<Object>? {
    let place = place(of: index)
    guard slots.indices.contains(place), slots[place].index == index else { return nil }
    return slots[place].row
  }

  /// Returns the index of a held row; nil if it is not held.
  public func index(of key: String) -> Int? { indexes[key] }

  /// Removes all held rows.
  public mutating func removeAll() { set([]) }

  /// Stores the rows of a page, and replaces held rows at the same indexes.
  public mutating func put(_ rows: [Row<Object>], at offset: Int) {
    let range = place(of: offset)..<place(of: offset + rows.count)
    let fresh = rows.enumerated().map { place, row in
      var row = row
      row.index = offset + place
      return Slot(index: offset + place, row: row)
    }
    var slots = slots
    slots.replaceSubrange(range, with: fresh)
    set(slots)
  }

  /// Applies the entries of a change list, in either format.
  public mutating func apply(_ changes: [Change<Object>], rowCount: Int) {
    leaving = []
    arriving = []
    for change in changes {
      let moves = change.kind == .move
      if moves || change.kind == .delete { leaving.append(Leaving(change)) }
      if moves || change.kind == .insert {
        let rows = moves ? [] : change.rows
        arriving.append(Arriving(start: change.newIndex, count: change.count, rows: rows))
      }
    }
    leaving.sort { $0.start < $1.start }
    arriving.sort { $0.start < $1.start }
    self.rowCount = rowCount
    relocate()
    for change in changes where change.kind == .update { update(change) }
    let isOfSections = changes.contains { $0.kind.isOfSection }
    if isOfSections || (hasDerivedMembers && !(leaving.isEmpty && arriving.isEmpty)) {
      for place in slots.indices { slots[place].isStale = true }
    }
  }

  /// Moves the held rows to their new indexes, and adds the rows that came.
  private mutating func relocate() {
    var relocated: [Slot] = []
    var (left, gone, arrived, came) = (0, 0, 0, 0)
    for var slot in slots {
      while left < leaving.count, leaving[left].end <= slot.index {
        gone += leaving[left].count
        left += 1
      }
      if left < leaving.count, leaving[left].start <= slot.index {
        guard let target = leaving[left].target else { continue }
        slot.index += target - leaving[left].start
        slot.move(leaving[left])
      } else {
        while arrived < arriving.count, arriving[arrived].start <= slot.index - gone + came {
          came += arriving[arrived].count
          arrived += 1
        }
        slot.index += came - gone
      }
      slot.row.index = slot.index
      relocated.append(slot)
    }
    for run in arriving {
      for (place, row) in run.rows.enumerated() {
        var row = row
        row.index = run.start + place
        relocated.append(Slot(index: run.start + place, row: row))
      }
    }
    set(relocated.sorted { $0.index < $1.index })
  }

  private mutating func update(_ change: Change<Object>) {
    var place = place(of: change.newIndex)
    while place < slots.count, slots[place].index < change.newIndex + change.count {
      let index = slots[place].index
      let offset = index - change.newIndex
      slots[place].isStale = offset >= change.rows.count
      if offset < change.rows.count {
        slots[place].row = change.rows[offset]
        slots[place].row.index = index
      }
      place += 1
    }
  }

  /// Returns the old and the new index of the first row, from an old index on, that the last list
  /// neither deleted nor moved.
  public func retained(from index: Int) -> (old: Int, new: Int) {
    var (old, gone, came) = (index, 0, 0)
    for run in leaving {
      if run.start > old { break }
      old = max(old, run.end)
      gone += run.count
    }
    for run in arriving {
      if run.start > old - gone + came { break }
      came += run.count
    }
    return (old, old - gone + came)
  }

  /// Returns the smallest range that contains all rows of a range that are missing or stale.
  public func missing(in range: ClosedRange<Int>) -> ClosedRange<Int>? {
    var bounds: ClosedRange<Int>?
    var place = place(of: range.lowerBound)
    for index in range {
      let isThere = place < slots.count && slots[place].index == index
      if isThere { place += 1 }
      if isThere && !slots[place - 1].isStale { continue }
      bounds = (bounds?.lowerBound ?? index)...index
    }
    return bounds
  }

  /// Removes stale rows outside a range, and the rows farthest from it if there are too many.
  public mutating func trim(to range: ClosedRange<Int>, atMost most: Int) {
    func distance(_ slot: Slot) -> Int {
      max(range.lowerBound - slot.index, slot.index - range.upperBound, 0)
    }
    var kept = slots.filter { !$0.isStale || distance($0) == 0 }
    if kept.count > most {
      kept = Array(kept.sorted { distance($0) < distance($1) }.prefix(most))
      kept.sort { $0.index < $1.index }
    }
    if kept.count < slots.count { set(kept) }
  }

  private mutating func set(_ slots: [Slot]) {
    self.slots = slots
    indexes = Dictionary(slots.map { ($0.row.key, $0.index) }) { $1 }
  }

  /// Returns the place in `slots` of the first slot whose index is not less.
  private func place(of index: Int) -> Int {
    var (low, high) = (0, slots.count)
    while low < high {
      let middle = (low + high) / 2
      if slots[middle].index < index { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension TreeRows.Leaving {
  fileprivate init(_ change: Change<Object>) {
    start = change.index
    count = change.count
    guard change.kind == .move else { return }
    target = change.newIndex
    depth = change.depth
    parent = change.parent
    section = change.section
  }
}

extension TreeRows.Slot {
  /// Applies the members of an entry to a row that moved.
  fileprivate mutating func move(_ run: TreeRows.Leaving) {
    // Rows of a run may differ.
    guard let depth = run.depth, run.count == 1 || row.section == nil else {
      isStale = true
      return
    }
    row.depth = depth
    row.parent = run.parent
    if row.section != nil { row.section = run.section }
  }
}
