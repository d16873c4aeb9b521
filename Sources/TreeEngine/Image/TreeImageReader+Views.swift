// Views and their history.
extension TreeImageReader {
  mutating func readViews(_ reader: inout ByteReader) throws(ImageError) {
    guard left > 0 else { return begin(.end, of: 1) }
    left -= 1
    guard try reader.bool() else {
      tree.watchers.append(Watcher(view: .vacant))
      return
    }
    var watcher = Watcher(view: try readView(&reader))
    watcher.selected = NodeTable(try readLinked(&reader))
    var layering = Layering<Width>()
    layering.order = try reader.bool() ? .breadthFirst : .depthFirst
    layering.isFiltered = try reader.bool()
    var matched: [NodeID] = []
    if layering.isFiltered {
      watcher.aside = try readView(&reader)
      matched = try readLinked(&reader)
    }
    watcher.history.oldest = try reader.count(upTo: tree.history.number)
    tree.watchers.append(watcher)
    tree.viewCount += 1
    if !layering.isPlain { restore(&layering, matching: matched) }
    tree.countMemory(at: tree.watchers.count - 1)
    viewsLeft = left
    rowCount = nil
    begin(.pasts, of: try reader.count())
    if left == 0 { begin(.views, of: viewsLeft) }
  }

  private mutating func readView(_ reader: inout ByteReader) throws(ImageError) -> View<Width> {
    let rule = try reader.rule()
    let toggled = try readLinked(&reader)
    for node in toggled where tree.forest[node].childState == .leaf { throw .damaged }
    return tree.makeView(rule, toggling: toggled)
  }

  /// Reads a set of nodes and checks that they are in the tree.
  private func readLinked(_ reader: inout ByteReader) throws(ImageError) -> [NodeID] {
    let nodes = try reader.nodes(of: counts.nodeIDs)
    for node in nodes where node == .forestRoot || standings[node.offset] != .linked {
      throw .damaged
    }
    return nodes
  }

  /// Rebuilds the rows of the view that was read last.
  private mutating func restore(_ layering: inout Layering<Width>, matching nodes: [NodeID]) {
    let slot = tree.watchers.count - 1
    var isMatched = [Bool](repeating: false, count: layering.isFiltered ? counts.nodeIDs : 0)
    for node in nodes { isMatched[node.offset] = true }
    do throws(Interruption) {
      let (layer, _) = try tree.makeLayer(layering, at: slot) { _ in
      } _: { _, node in
        isMatched[node.offset]
      }
      layering.layer = layer
      layering.rowCountBefore = layer.rows.count
    } catch {
      preconditionFailure("nothing stopped the work")
    }
    tree.watchers[slot].layering = layering
    tree.layered.insert(slot)
  }

  mutating func readPasts(_ reader: inout ByteReader) throws(ImageError) {
    let slot = tree.watchers.count - 1
    while left > 0, !reader.isAtEnd {
      let past = try PastView<Width>(from: &reader, nodeIDs: counts.nodeIDs)
      guard past.number > tree.watchers[slot].history.log.last?.number ?? 0,
        past.number <= tree.history.number,
        past.rowCountBefore == rowCount ?? past.rowCountBefore
      else { throw .damaged }
      rowCount = past.rowCountAfter
      tree.history.subtract(tree.watchers[slot].history)
      tree.watchers[slot].history.restore(past)
      tree.history.add(tree.watchers[slot].history)
      left -= 1
    }
    guard left == 0 else { return }
    // The stored changes must lead to the present number of rows.
    guard rowCount == tree.shownRowCount(slot) else { throw .damaged }
    begin(.views, of: viewsLeft)
  }
}
