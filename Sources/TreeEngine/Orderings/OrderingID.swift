/// Names an ordering of one tree.
///
/// A number is not given twice.
public struct OrderingID: Hashable, Sendable {
  let number: Int
}

/// Sorts siblings by what the engine cannot read: their keys and objects.
public protocol SiblingSorter<Width>: AnyObject {
  /// The width of the trees whose nodes are sorted.
  associatedtype Width: NodeWidth

  /// Sorts the children of a node.
  ///
  /// Equal ones stay in the order given.
  ///
  /// - Parameters:
  ///   - children: The children, in the order of the tree.
  ///   - parent: Their parent.
  ///   - tree: The tree.
  /// - Throws: ``Interruption`` if the work is to be stopped.
  func sort(
    _ children: inout [NodeID],
    of parent: NodeID,
    in tree: borrowing SizedTree<Width>
  ) throws(Interruption)

  /// Compares two children of a node.
  ///
  /// - Returns: A negative number if the left one comes first, a positive one if the right one
  ///   does, and 0 if they are equal.
  /// - Throws: ``Interruption`` if the work is to be stopped.
  func compare(
    _ left: NodeID,
    _ right: NodeID,
    in tree: borrowing SizedTree<Width>
  ) throws(Interruption) -> Int
}
