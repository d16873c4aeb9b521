import TreeEngine

/// The key of a row's parent: neighbouring rows mostly have the same one.
struct ParentKeys {
  private var node = NodeID.forestRoot
  /// The key of the parent met last; nil for a root's, which to the engine is its section.
  private(set) var key: ByteArena.Slice?

  /// Finds the key of a parent, unless it was the last one, too.
  mutating func meet(_ parent: NodeID, in manager: borrowing TreeManager) {
    guard parent != node else { return }
    node = parent
    let isShown = parent != .forestRoot && !manager.isSection(parent)
    key = isShown ? manager.tree.keySlice(of: parent) : nil
  }
}
