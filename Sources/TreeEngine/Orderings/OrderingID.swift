/// The name of an ordering within a tree.
///
/// Its number is not used twice.
public struct OrderingID: Hashable, Sendable {
  let number: Int
}

/// A comparator of siblings by their keys and objects, whose meaning the engine does not know.
public protocol SiblingSorter<Width>: AnyObject {
  /// The width of the trees whose nodes are sorted.
  associatedtype Width: NodeWidth

  /// Sorts the children of a node.
  ///
  /// The sort is stable.
  ///
  /// - Parameters:
  ///   - children: The children, in the order of the tree.
  ///   - parent: Their parent.
  ///   - tree: The tree.
  /// - Throws: ``Interruption`` to stop the work.
  func sort(
    _ children: inout [NodeID],
    of parent: NodeID,
    in tree: borrowing SizedTree<Width>
  ) throws(Interruption)

  /// Compares two children of a node.
  ///
  /// - Returns: A negative number if the left one comes first, a positive one if the right one
  ///   does, and 0 if they are equal.
  /// - Throws: ``Interruption`` to stop the work.
  func compare(
    _ left: NodeID,
    _ right: NodeID,
    in tree: borrowing SizedTree<Width>
  ) throws(Interruption) -> Int
}

/// An ordering that was made on a fork of a tree.
public struct PreparedOrdering<Width: NodeWidth>: Sendable {
  let ordering: Ordering<Width>
}
