import TestSupport

/// A change list made the slow way, from the rows before and after.
///
/// Rows that no operation took anywhere stay; of the others, each stays that fits among those.
struct ReferenceChangeList {
  let before: [ModelRow]
  let after: [ModelRow]
  let relocated: Set<Int>

  /// The change list with entries for single rows, or for runs of neighbouring ones.
  func list(ranges: Bool, includeRows: Bool) -> ChangeList {
    var list = ChangeList()
    let moved = moved
    let entries = deletes + arrivals(moved) + updates
    list.format = ranges ? .ranges : .rows
    for entry in entries {
      if ranges, let last = list.entries.last, let merged = merge(last, entry) {
        list.entries[list.entries.count - 1] = merged
      } else {
        list.entries.append(entry)
      }
    }
    if includeRows { list.entries = list.entries.map(withRows) }
    return list
  }

  private var oldIndex: [Int: Int] {
    Dictionary(uniqueKeysWithValues: before.enumerated().map { ($1.identity, $0) })
  }

  private var moved: Set<Int> {
    let oldIndex = oldIndex
    let survivors = after.filter { oldIndex[$0.identity] != nil }
    var kept = Set(survivors.map(\.identity)).subtracting(relocated)
    var moved: Set<Int> = []
    var movedKeys: Set<ModelKey> = []
    for row in survivors {
      guard let index = oldIndex[row.identity] else { continue }
      let hasPlace = before[index].depth == row.depth && before[index].parent == row.parent
      let isFree = !(row.parent.map(movedKeys.contains) ?? false)
      if hasPlace, isFree, isInOrder(kept.union([row.identity]), oldIndex) {
        kept.insert(row.identity)
      } else {
        kept.remove(row.identity)
        moved.insert(row.identity)
        movedKeys.insert(row.key)
      }
    }
    return moved
  }

  private func isInOrder(_ identities: Set<Int>, _ oldIndex: [Int: Int]) -> Bool {
    let places = after.filter { identities.contains($0.identity) }
      .compactMap { oldIndex[$0.identity] }
    return places == places.sorted()
  }

  private var deletes: [ChangeList.Entry] {
    let remaining = Set(after.map(\.identity))
    return before.enumerated().reversed().filter { !remaining.contains($1.identity) }
      .map { index, row in
        var entry = ChangeList.Entry(.delete, index: index)
        entry.key = row.key
        return entry
      }
  }

  private func arrivals(_ moved: Set<Int>) -> [ChangeList.Entry] {
    let oldIndex = oldIndex
    return after.enumerated().compactMap { newIndex, row in
      let index = oldIndex[row.identity]
      guard index == nil || moved.contains(row.identity) else { return nil }
      var entry = ChangeList.Entry(index == nil ? .insert : .move, index: index, newIndex: newIndex)
      entry.key = row.key
      entry.depth = row.depth
      entry.parent = try? RawJSON(parsing: JSONText.key(row.parent))
      return entry
    }
  }

  private var updates: [ChangeList.Entry] {
    let oldIndex = oldIndex
    return after.enumerated().compactMap { newIndex, row in
      guard let index = oldIndex[row.identity] else { return nil }
      let fields = row.changedFields(since: before[index])
      guard !fields.isEmpty else { return nil }
      var entry = ChangeList.Entry(.update, index: index, newIndex: newIndex)
      entry.key = row.key
      entry.fields = fields.sorted()
      return entry
    }
  }

  /// One run of two neighbouring entries; `nil` when they are none.
  private func merge(_ run: ChangeList.Entry, _ next: ChangeList.Entry) -> ChangeList.Entry? {
    guard run.kind == next.kind, run.fields == next.fields else { return nil }
    var merged = run
    merged.key = nil
    merged.count += 1
    if run.kind == .delete {
      merged.index = next.index
      return next.index.map { $0 + 1 } == run.index ? merged : nil
    }
    let continues =
      run.newIndex.map { $0 + run.count } == next.newIndex
      && run.index.map { $0 + run.count } == next.index
    return continues ? merged : nil
  }

  private func withRows(_ entry: ChangeList.Entry) -> ChangeList.Entry {
    guard entry.kind == .insert || entry.kind == .update, let first = entry.newIndex else {
      return entry
    }
    var entry = entry
    entry.rows = after[first..<first + entry.count].compactMap { row in
      try? RawJSON(parsing: row.json())
    }
    return entry
  }
}
