extension RangeMinTree {
  /// Visits the items, in order, at which the running sum is at most a bound.
  ///
  /// Nodes in which there is no such item are not looked into.
  ///
  /// - Complexity: O(fan-out) for each node that holds one.
  func forEachItem(in root: Root, withSumAtMost bound: Int32, _ body: (Item) -> Void) {
    // Nodes that hold some, the next one last, each with the sum before it.
    var pending = [(root: root, before: Int32(0))]
    while let (root, before) = pending.popLast() {
      var sum = before
      guard root.height > 0 else {
        let first = Int(root.node) * fanout
        for place in first..<(first + Int(leafCount[Int(root.node)])) {
          sum += items[place].summary.sum
          if sum <= bound { body(items[place]) }
        }
        continue
      }
      let first = Int(root.node) * innerFanout
      let start = pending.count
      for place in first..<(first + Int(innerCount[Int(root.node)])) {
        if sum + summaries[place].minimum <= bound {
          pending.append((Root(node: children[place], height: root.height - 1), sum))
        }
        sum += summaries[place].sum
      }
      pending[start...].reverse()
    }
  }
}
