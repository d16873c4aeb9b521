import TestSupport

@testable import TreeClient

/// New keys and rows.
struct RandomKeys {
  private var count = 0

  mutating func row(_ random: inout SeededGenerator) -> Row<JSONValue> {
    count += 1
    var row = Row<JSONValue>("k\(count)")
    row.depth = random.number(in: 0...2)
    row.object = .integer(random.number(in: 0...8))
    return row
  }
}

/// A random change of a whole list of rows, told as the service would. It shares no code with the
/// client.
struct RandomChange {
  /// A row after the change, with the index that it had.
  struct Placed {
    var row: Row<JSONValue>
    var index: Int?
    var moves = false
    var isUpdated = false
    var newIndex = 0
  }

  /// The rows after.
  let after: [Row<JSONValue>]
  /// The rows that came or moved, in order.
  let arrivals: [Placed]
  /// The rows that read differently, in order.
  let updates: [Placed]
  /// The indexes of rows that are gone, descending.
  let deletes: [Int]

  init(
    of before: [Row<JSONValue>],
    _ random: inout SeededGenerator,
    _ keys: inout RandomKeys
  ) {
    // Runs are what lists merge, so neighbours often share a fate.
    var fates: [Int] = []
    for _ in before {
      let last = fates.last.flatMap { random.number(in: 0...9) < 6 ? $0 : nil }
      fates.append(last ?? random.number(in: 0...6))
    }
    let rows = before.enumerated().map { Placed(row: $1, index: $0, moves: fates[$0] == 1) }
    var placed = rows.filter { fates[$0.index ?? 0] > 1 }
    var moved = rows.filter(\.moves)[...]
    while !moved.isEmpty {
      let run = moved.prefix(random.number(in: 1...4))
      moved = moved.dropFirst(run.count)
      placed.insert(contentsOf: run, at: random.number(in: 0...placed.count))
    }
    for _ in 0..<random.number(in: 0...3) {
      let run = (0..<random.number(in: 1...4)).map { _ in Placed(row: keys.row(&random)) }
      placed.insert(contentsOf: run, at: random.number(in: 0...placed.count))
    }
    for place in placed.indices {
      placed[place].newIndex = place
      guard placed[place].index != nil else { continue }
      if placed[place].moves {
        placed[place].row.depth = random.number(in: 0...2)
        placed[place].row.parent = random.oneIn(2) ? "p" : nil
      }
      if random.oneIn(8) {
        placed[place].isUpdated = true
        placed[place].row.object = .integer(random.number(in: 100...999))
      }
    }
    after = placed.map(\.row)
    arrivals = placed.filter { $0.moves || $0.index == nil }
    updates = placed.filter(\.isUpdated)
    deletes = before.indices.reversed().filter { fates[$0] == 0 }
  }

  /// An entry for each row, with the rows themselves for the first ones.
  func rows(limit: Int) -> [Change<JSONValue>] {
    var left = limit
    func told(_ placed: Placed, _ kind: Change<JSONValue>.Kind) -> Change<JSONValue> {
      var change = Change<JSONValue>(kind, index: placed.index ?? 0, newIndex: placed.newIndex)
      change.key = placed.row.key
      if kind != .update { (change.depth, change.parent) = (placed.row.depth, placed.row.parent) }
      if kind != .move && left > 0 { change.rows = [placed.row] }
      if kind != .move { left -= 1 }
      return change
    }
    return deletes.map { Change(.delete, index: $0) }
      + arrivals.map { told($0, $0.moves ? .move : .insert) } + updates.map { told($0, .update) }
  }

  /// Entries for runs of rows.
  func ranges(limit: Int) -> [Change<JSONValue>] {
    var merged: [Change<JSONValue>] = []
    for var change in rows(limit: limit) {
      guard let last = merged.last, last.kind == change.kind else {
        merged.append(change)
        continue
      }
      switch change.kind {
      case .delete where change.index + 1 == last.index:
        change.count = last.count + 1
        merged[merged.count - 1] = change
      case .insert where last.newIndex + last.count == change.newIndex,
        .move, .update:
        let joins =
          last.newIndex + last.count == change.newIndex
          && (change.kind == .insert || last.index + last.count == change.index)
        guard joins else { fallthrough }
        merged[merged.count - 1].join(change)
      default: merged.append(change)
      }
    }
    return merged
  }
}

extension Change where Object == JSONValue {
  /// An entry about one row.
  init(_ kind: Kind, index: Int, newIndex: Int = 0) {
    let members: JSONValue = [
      "type": .string(kind.rawValue), "index": .integer(index), "newIndex": .integer(newIndex),
    ]
    guard let change = try? JSONCoding.decode(Change.self, from: JSONCoding.encode(members)) else {
      preconditionFailure("an entry cannot be read")
    }
    self = change
  }

  /// Makes the entry stand for one more row.
  fileprivate mutating func join(_ next: Change) {
    key = nil
    if kind != .move || depth != next.depth || parent != next.parent {
      (depth, parent) = (nil, nil)
    }
    if rows.count == count { rows += next.rows }
    count += 1
  }
}
