extension SizedTree {
  /// All that is to be kept of the tree when the process ends: nodes with their ids, views,
  /// history.
  ///
  /// Shares the tree's arrays, each chunk until the tree changes it.
  ///
  /// - Precondition: no transaction is running.
  /// - Complexity: O(1), and O(views) at the first change after it.
  @specialized(where Width == Fanout<64>)
  public func image() -> TreeImage<Width> {
    precondition(transaction == nil, "a transaction is running")
    return TreeImage(of: self)
  }

  /// The view whose name has a number, if there is one.
  ///
  /// - Complexity: O(1).
  @specialized(where Width == Fanout<64>)
  public func view(numbered number: Int) -> ViewID? {
    guard watchers.indices.contains(number), !watchers[number].view.isVacant else { return nil }
    return ViewID(slot: number)
  }

  /// The node id with an index, if one was ever given out, whatever has become of the node.
  ///
  /// - Complexity: O(1).
  @specialized(where Width == Fanout<64>)
  public func node(numbered index: Int) -> NodeID? {
    forest.records.indices.contains(index) ? NodeID(Int32(index)) : nil
  }
}

extension SizedTree.ViewID {
  /// What tells it from the other views of its tree; the same in a tree made of its image.
  ///
  /// - Complexity: O(1).
  public var number: Int { slot }
}
