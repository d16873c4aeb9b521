import TestSupport
import Testing

@testable import TreeEngine

/// An engine with history and a naive tree, with all rows of the naive tree after each commit.
struct HistoryPair<Width: NodeWidth>: ~Copyable {
  var pair: EnginePair<Width>
  let limits: HistoryLimits
  /// True if views are filtered and reordered now and then.
  let isLayered: Bool
  /// The rows by commit, then by view.
  private var lines: [[[NaiveTree.Line]]] = []
  private var reorderings: [[Int]] = []
  /// The change lists of the last transaction, by view.
  private var told: [[String]] = []

  init(rules: [ExpansionRule], limits: HistoryLimits, isLayered: Bool = false) {
    pair = EnginePair(rules: rules, history: limits)
    self.limits = limits
    self.isLayered = isLayered
    rememberLines()
  }

  /// Returns an independent pair with the same past.
  func fork() -> HistoryPair { HistoryPair(forking: self) }

  private init(forking other: borrowing HistoryPair) {
    pair = other.pair.fork()
    limits = other.limits
    isLayered = other.isLayered
    lines = other.lines
    reorderings = other.reorderings
    told = other.told
  }

  private mutating func rememberLines() {
    lines.append(pair.ids.indices.map { pair.naive.lines(in: $0) })
    reorderings.append(pair.naive.reorderings)
  }

  /// The commits since which the changes of some view are known.
  var remembered: ClosedRange<Int> {
    let oldest = pair.ids.map { pair.tree.oldestCommit(of: $0) }.min() ?? 0
    return oldest...pair.tree.commitNumber
  }

  /// The number of nodes that are neither in the tree nor free.
  var limboCount: Int {
    pair.tree.editor.base.forest.records.count - 1
      - pair.tree.editor.base.forest.freeNodes.count - pair.tree.nodeCount
  }

  /// Runs a random transaction and commits it or rolls it back.
  mutating func randomTransaction(_ random: inout SeededGenerator, listLimit: Int = .max) {
    let isSingle = listLimit != .max
    pair.tree.begin(listLimit: listLimit)
    pair.naive.moved = []
    pair.naive.updated = []
    let undo = random.oneIn(6) ? pair.naive.copyState() : nil
    for _ in 0..<(isSingle ? 1 : random.choice([1, 1, 2, 4])) {
      if isLayered, random.oneIn(6) {
        _ = pair.randomLayerOperation(&random)
      } else {
        _ = pair.randomOperation(&random, isListed: !isSingle)
      }
    }
    if let undo {
      pair.tree.rollback()
      pair.naive.restore(undo)
    } else {
      pair.updateRows()
      told = []
      for id in pair.ids {
        let (list, unloaded) = (pair.tree.changes(of: id), pair.tree.expandedUnloaded(in: id))
        told.append(pair.text(of: list, unloaded))
      }
      pair.tree.commit()
      rememberLines()
    }
  }

  func checkLimits(_ context: String) {
    let history = pair.tree.history
    #expect(history.number == lines.count - 1, "\(context)")
    #expect(limboCount == history.removedCount, "\(context)")
    #expect(limboCount <= limits.removedNodes, "\(context)")
    #expect(history.data.weight <= limits.readings, "\(context)")
    let weights = pair.tree.editor.base.watchers.map(\.history.log.weight)
    #expect(history.viewWeight == weights.reduce(0, +), "\(context)")
    #expect(history.viewWeight <= limits.totalRows, "\(context)")
    for watcher in pair.tree.editor.base.watchers {
      #expect(watcher.history.log.count <= limits.commits, "\(context)")
      #expect(watcher.history.log.weight <= limits.rows, "\(context)")
    }
  }

  /// Checks that the history returns the last commit as its transaction reported it.
  func checkLast(_ context: String) {
    let number = pair.tree.commitNumber - 1
    for (view, id) in pair.ids.enumerated()
    where number >= pair.tree.oldestCommit(of: id) && !told.isEmpty {
      let list = pair.tree.changes(of: id, since: number, isOneCommit: true)
      let again = pair.text(of: list, pair.tree.expandedUnloaded(in: id, since: number))
      #expect(again == told[view], "\(context) view \(view)")
    }
  }

  func check(since number: Int, _ context: String) {
    for (view, id) in pair.ids.enumerated() where pair.tree.oldestCommit(of: id) <= number {
      let list = pair.tree.changes(of: id, since: number)
      checkLaws(
        list,
        before: lines[number][view],
        after: pair.naive.lines(in: view),
        wasReordered: pair.naive.reorderings[view] != reorderings[number][view],
        "\(context) since \(number) view \(view)"
      )
      for node in list.deletedNodes {
        #expect(pair.tree.key(of: node).isEmpty == false, "\(context)")
      }
    }
  }

  /// Checks that the changes lead from the rows of a commit to the present rows.
  func checkApplies(since number: Int, _ context: String) {
    for (view, id) in pair.ids.enumerated() where pair.tree.oldestCommit(of: id) <= number {
      let list = pair.tree.changes(of: id, since: number)
      let after = pair.naive.lines(in: view).map(\.serial)
      var rows = lines[number][view].map(\.serial)
      var sources = list.deletions.flatMap { $0.index..<($0.index + $0.count) }
      for move in list.placements {
        if let index = move.index { sources += index..<(index + move.count) }
      }
      for index in sources.sorted(by: >) { rows.remove(at: index) }
      for place in list.placements {
        let placed = after[place.newIndex..<(place.newIndex + place.count)]
        rows.insert(contentsOf: placed, at: place.newIndex)
      }
      #expect(rows == after, "\(context) since \(number) view \(view)")
    }
  }
}
