// Views and their history.
extension TreeImageReader {
  mutating func readViews(_ reader: inout ByteReader) throws(ImageError) {
    guard left > 0 else { return begin(.end, of: 1) }
    left -= 1
    guard try reader.bool() else {
      tree.editor.base.restore(nil)
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
    tree.editor.base.restore(watcher)
    if !layering.isPlain { restore(&layering, matching: matched) }
    tree.editor.base.countMemory(at: tree.editor.base.watchers.count - 1)
    viewsLeft = left
    rowCount = nil
    begin(.pasts, of: try reader.count())
    if left == 0 { begin(.views, of: viewsLeft) }
  }

  private mutating func readView(_ reader: inout ByteReader) throws(ImageError) -> View<Width> {
    let rule = try reader.rule()
    let toggled = try readLinked(&reader)
    for node in toggled where tree.editor.base.forest[node].childState == .leaf { throw .damaged }
    return tree.editor.base.makeView(rule, toggling: toggled)
  }

  /// Reads a set of nodes and checks that they are in the tree.
  private func readLinked(_ reader: inout ByteReader) throws(ImageError) -> [NodeID] {
    let nodes = try reader.nodes(of: counts.nodeIDs)
    for node in nodes where node == .forestRoot || states[node.offset] != .linked {
      throw .damaged
    }
    return nodes
  }

  /// Rebuilds the rows of the view that was read last.
  private mutating func restore(_ layering: inout Layering<Width>, matching nodes: [NodeID]) {
    let slot = tree.editor.base.watchers.count - 1
    var isMatched = [Bool](repeating: false, count: layering.isFiltered ? counts.nodeIDs : 0)
    for node in nodes { isMatched[node.offset] = true }
    do throws(Interruption) {
      let (layer, _) = try tree.editor.base.makeLayer(layering, at: slot) { _ in
      } _: { node in
        isMatched[node.offset]
      }
      layering.layer = layer
      layering.rowCountBefore = layer.rows.count
    } catch {
      preconditionFailure("nothing stopped the work")
    }
    tree.editor.base.watchers[slot].layering = layering
    tree.editor.base.layered.insert(slot)
  }

  mutating func readPasts(_ reader: inout ByteReader) throws(ImageError) {
    let slot = tree.editor.base.watchers.count - 1
    while left > 0, !reader.isAtEnd {
      let past = try PastView<Width>(from: &reader, nodeIDs: counts.nodeIDs)
      guard past.number > tree.editor.base.watchers[slot].history.log.last?.number ?? 0,
        past.number <= tree.history.number,
        past.rowCountBefore == rowCount ?? past.rowCountBefore
      else { throw .damaged }
      rowCount = past.rowCountAfter
      tree.history.subtract(tree.editor.base.watchers[slot].history)
      tree.editor.base.watchers[slot].history.restore(past)
      tree.history.add(tree.editor.base.watchers[slot].history)
      left -= 1
    }
    guard left == 0 else { return }
    // The stored changes must lead to the present number of rows.
    guard rowCount == tree.editor.base.shownRowCount(slot) else { throw .damaged }
    begin(.views, of: viewsLeft)
  }
}
