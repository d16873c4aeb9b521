import TreeDomain
import TreeEngine

/// Turns the engine's change list into the contract's entries.
struct ChangeWriting: ~Copyable {
  private let options: BatchOptions
  private(set) var arena = AnswerArena()
  private(set) var changes: [Change] = []
  private(set) var rows: [Row] = []

  init(_ options: BatchOptions) { self.options = options }

  private var roomForRows: Int { options.includedRows - rows.count }

  mutating func string(_ node: NodeID, in manager: borrowing TreeManager) -> ByteSlice {
    arena.key(of: node, in: manager)
  }

  /// One entry a row.
  mutating func writeRows(_ list: ChangeList, of manager: borrowing TreeManager) {
    for deletion in list.deletions {
      for (offset, node) in list.deletedNodes[deletion.nodes ?? 0..<0].enumerated() {
        let index = deletion.index + deletion.count - 1 - offset
        changes.append(Change(.delete(index: index), names: names(node, in: manager)))
      }
    }
    for placement in list.placements {
      let rows = manager.tree.rows(
        from: placement.newIndex,
        limit: placement.count,
        in: manager.view
      )
      for (offset, row) in rows.enumerated() { write(row, placement, offset, manager) }
    }
    for update in list.updates { write([update][...], of: manager) }
  }

  private mutating func write(
    _ row: ViewRow,
    _ placement: ChangeList.Placement,
    _ offset: Int,
    _ manager: borrowing TreeManager
  ) {
    let newIndex = placement.newIndex + offset
    let names = placeNames(row, in: manager)
    guard let index = placement.index else {
      let included = include([row], in: manager)
      changes.append(Change(.insert(newIndex: newIndex), names: names, rows: included))
      return
    }
    changes.append(Change(.move(index: index + offset, newIndex: newIndex), names: names))
  }

  /// One entry a run.
  mutating func writeRanges(_ list: ChangeList, of manager: borrowing TreeManager) {
    for deletion in list.deletions {
      let single =
        deletion.count == 1 ? deletion.nodes.map { list.deletedNodes[$0.lowerBound] } : nil
      changes.append(
        Change(
          .delete(index: deletion.index),
          count: deletion.count,
          names: single.map { names($0, in: manager) }
        )
      )
    }
    for placement in list.placements { write(placement, of: manager) }
    var run = list.updates[...]
    while !run.isEmpty {
      let count = leadingRun(of: run)
      write(run.prefix(count), of: manager)
      run = run.dropFirst(count)
    }
  }

  private mutating func write(
    _ placement: ChangeList.Placement,
    of manager: borrowing TreeManager
  ) {
    let isInsertion = placement.index == nil
    let wanted = max(
      placement.count == 1 ? 1 : 0,
      isInsertion ? min(placement.count, roomForRows) : 0
    )
    let rows = manager.tree.rows(from: placement.newIndex, limit: wanted, in: manager.view)
    let kind: Change.Kind =
      if let index = placement.index {
        .move(index: index, newIndex: placement.newIndex)
      } else {
        .insert(newIndex: placement.newIndex)
      }
    changes.append(
      Change(
        kind,
        count: placement.count,
        names: placement.count == 1 ? placeNames(rows[0], in: manager) : nil,
        rows: isInsertion ? include(rows, in: manager) : 0..<0
      )
    )
  }

  /// How many updates from the first on are neighbours that changed alike.
  private func leadingRun(of updates: ArraySlice<ChangeList.Update>) -> Int {
    var count = 1
    for (last, next) in zip(updates, updates.dropFirst()) {
      guard next.fields == last.fields, next.index == last.index + 1,
        next.newIndex == last.newIndex + 1
      else { break }
      count += 1
    }
    return count
  }

  private mutating func write(
    _ updates: ArraySlice<ChangeList.Update>,
    of manager: borrowing TreeManager
  ) {
    guard let first = updates.first else { return }
    var rows: [ViewRow] = []
    for update in updates.prefix(max(0, roomForRows)) {
      rows.append(manager.tree.row(of: update.node, in: manager.view))
    }
    changes.append(
      Change(
        .update(index: first.index, newIndex: first.newIndex, first.fields),
        count: updates.count,
        names: updates.count == 1 ? names(first.node, in: manager) : nil,
        rows: include(rows, in: manager)
      )
    )
  }

  private mutating func include(
    _ given: [ViewRow],
    in manager: borrowing TreeManager
  ) -> Range<Int> {
    let start = rows.count
    for row in given.prefix(max(0, roomForRows)) {
      rows.append(arena.row(row, options.fields, in: manager))
    }
    return start..<rows.count
  }

  private mutating func names(_ node: NodeID, in manager: borrowing TreeManager) -> Change.Names {
    Change.Names(key: arena.key(of: node, in: manager))
  }

  private mutating func placeNames(
    _ row: ViewRow,
    in manager: borrowing TreeManager
  ) -> Change.Names {
    Change.Names(
      key: arena.key(of: row.node, in: manager),
      depth: row.depth,
      parent: arena.key(ofParent: row.parent, in: manager)
    )
  }
}
