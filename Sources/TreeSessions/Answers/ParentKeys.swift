import TreeEngine

/// A cache for the key of a row's parent.
///
/// Adjacent rows often have the same parent.
struct ParentKeys {
  private var node = NodeID.forestRoot
  /// The key of the last parent; nil for a section, which is the engine's parent of a root.
  private(set) var key: ByteArena.Slice?

  /// Sets ``key`` to the key of a parent, unless this was the last parent as well.
  mutating func meet(_ parent: NodeID, in content: borrowing TreeContent) {
    guard parent != node else { return }
    node = parent
    let isShown = parent != .forestRoot && !content.tree.isSection(parent)
    key = isShown ? content.tree.keySlice(of: parent) : nil
  }
}
