import Testing
import TreeEngine

/// Checks that a change list leads from the rows before to the rows after and is minimal.
///
/// - Parameters:
///   - list: The list.
///   - before: The rows before.
///   - after: The rows after.
///   - wasReordered: True if the order of the view changed in between.
///   - moved: The serials of nodes that operations moved or reordered; nil for several
///     transactions, over which any row may move.
///   - given: The context for failure messages.
func checkLaws(
  _ list: ChangeList,
  before: [NaiveTree.Line],
  after: [NaiveTree.Line],
  wasReordered: Bool = false,
  moved: Set<Int>? = nil,
  _ given: @autoclosure () -> String
) {
  func context() -> String {
    "\(given())\nbefore \(before)\nafter \(after)\nlist \(list)"
  }
  let survivors = Set(before.map(\.serial)).intersection(after.map(\.serial))
  var rows = before.map(\.serial)
  var sources: [Int] = []
  for deletion in list.deletions {
    let indexes = deletion.index..<(deletion.index + deletion.count)
    sources += indexes
    expect(indexes.allSatisfy { !survivors.contains(before[$0].serial) }, "\(context())")
  }
  for move in list.placements {
    guard let index = move.index else { continue }
    sources += index..<(index + move.count)
    for offset in 0..<move.count {
      let same = before[index + offset].serial == after[move.newIndex + offset].serial
      expect(same, "a move of another row \(context())")
    }
  }
  expect(Set(sources).count == sources.count, "a row in two structural entries \(context())")
  for index in sources.sorted(by: >) { rows.remove(at: index) }
  var last = -1
  for placement in list.placements {
    expect(placement.newIndex > last, "placements out of order \(context())")
    for newIndex in placement.newIndex..<(placement.newIndex + placement.count) {
      guard newIndex <= rows.count else {
        expect(false, "a placement beyond the end \(context())")
        return
      }
      let serial = after[newIndex].serial
      expect(placement.index != nil || !survivors.contains(serial), "\(context())")
      rows.insert(serial, at: newIndex)
    }
    last = placement.newIndex + placement.count - 1
  }
  expect(rows == after.map(\.serial), "\(context())")
  checkFrugality(list, before, after, survivors, wasReordered, context())
  if let moved, !wasReordered { checkMovers(list, after, moved, context()) }
  checkUpdates(list, before, after, context())
}

/// A remaining row must be reported as moved if its depth or parent changed. Otherwise only if it
/// could not stay in order with the rows that did. If the order of the view changed, rows move
/// without their descendants.
private func checkFrugality(
  _ list: ChangeList,
  _ before: [NaiveTree.Line],
  _ after: [NaiveTree.Line],
  _ survivors: Set<Int>,
  _ wasReordered: Bool,
  _ context: @autoclosure () -> String
) {
  let sorted = list.deletions.map(\.index).sorted(by: >)
  expect(list.deletions.map(\.index) == sorted, "deletions out of order \(context())")
  let moved = Set(
    list.placements.filter { $0.index != nil }.flatMap { placement in
      (0..<placement.count).map { after[placement.newIndex + $0].serial }
    }
  )
  let old = Dictionary(uniqueKeysWithValues: before.map { ($0.serial, $0) })
  // Descendants move with their node.
  let movedKeys = Set(after.filter { moved.contains($0.serial) }.map(\.key))
  for line in after {
    guard let was = old[line.serial] else { continue }
    let isBound = !wasReordered && line.parent.map { movedKeys.contains($0) } ?? false
    let isPlaced = was.depth == line.depth && was.parent == line.parent && !isBound
    guard moved.contains(line.serial) else {
      expect(
        isPlaced,
        "\(line) has another depth or parent, or a parent that moved, and did not move \(context())"
      )
      continue
    }
    let stays = { (serial: Int) in
      survivors.contains(serial) && (!moved.contains(serial) || serial == line.serial)
    }
    let couldStay =
      before.map(\.serial).filter(stays) == after.map(\.serial).filter(stays)
    expect(!(isPlaced && couldStay), "\(line) only shifted \(context())")
  }
}

/// In the list of one transaction, a row moves only if an operation moved it or an ancestor.
private func checkMovers(
  _ list: ChangeList,
  _ after: [NaiveTree.Line],
  _ moved: Set<Int>,
  _ context: @autoclosure () -> String
) {
  let moves = list.placements.filter { $0.index != nil }
  let lines = moves.flatMap { after[$0.newIndex..<($0.newIndex + $0.count)] }
  let keys = Set(lines.map(\.key))
  for line in lines where !moved.contains(line.serial) {
    let isBelow = line.parent.map { keys.contains($0) } ?? false
    expect(isBelow, "no operation moved \(line) or what is above it \(context())")
  }
}

private func checkUpdates(
  _ list: ChangeList,
  _ before: [NaiveTree.Line],
  _ after: [NaiveTree.Line],
  _ context: @autoclosure () -> String
) {
  let old = Dictionary(uniqueKeysWithValues: before.enumerated().map { ($1.serial, ($0, $1)) })
  var expected: [[Int]] = []
  for (newIndex, line) in after.enumerated() {
    guard let (index, was) = old[line.serial] else { continue }
    var fields: ChangeList.UpdatedFields = []
    if was.object != line.object { fields.insert(.object) }
    if was.expanded != line.expanded { fields.insert(.expanded) }
    if was.state != line.state { fields.insert(.childState) }
    if was.childCount != line.childCount { fields.insert(.childCount) }
    if was.selected != line.selected { fields.insert(.selected) }
    if was.matched != line.matched { fields.insert(.matched) }
    if !fields.isEmpty { expected.append([index, newIndex, Int(fields.rawValue)]) }
  }
  let told = list.updates.map { [$0.index, $0.newIndex, Int($0.fields.rawValue)] }
  expect(told == expected, "updates \(context())")
}

/// Like `#expect`, but builds the message only on failure.
func expect(_ holds: Bool, _ message: @autoclosure () -> String) {
  if !holds { Issue.record(Comment(rawValue: message())) }
}
