extension SizedTree {
  /// Returns an image of all that must outlive the process: nodes with their ids, views, history.
  ///
  /// The image shares the tree's arrays. A chunk is copied when the tree changes it.
  ///
  /// - Precondition: no transaction is running.
  /// - Complexity: O(1), and O(views) at the first change after it.
  @specialized(where Width == Fanout<64>)
  public func image() -> TreeImage<Width> {
    precondition(transaction == nil, "a transaction is running")
    return TreeImage(of: self)
  }

  /// Returns the view with a ``ViewID/number``, or nil.
  ///
  /// - Complexity: O(1).
  @specialized(where Width == Fanout<64>)
  public func view(numbered number: Int) -> ViewID? {
    guard watchers.indices.contains(number), !watchers[number].view.isVacant else { return nil }
    return ViewID(slot: number)
  }

  /// Returns the node id with an index, or nil if it was never used.
  ///
  /// The node may have been removed.
  ///
  /// - Complexity: O(1).
  @specialized(where Width == Fanout<64>)
  public func node(numbered index: Int) -> NodeID? {
    forest.records.indices.contains(index) ? NodeID(Int32(index)) : nil
  }
}

extension SizedTree.ViewID {
  /// The number of the view in its tree.
  ///
  /// It is the same in a tree that is read from an image.
  ///
  /// - Complexity: O(1).
  public var number: Int { slot }
}
