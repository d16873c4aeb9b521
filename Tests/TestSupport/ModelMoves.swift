/// The rows that a change list may show as moved, if several choices lead to the new rows.
package struct ModelMoves: Sendable {
  /// The identities of nodes that operations moved or sorted, and of their descendants. Other rows
  /// only shift.
  package var relocated: Set<Int>
  /// The relocated nodes, except those that only moved with their section.
  package var carried: Set<Int> = []
  /// True if siblings were sorted as a whole, so that the fewest must move.
  package var isFewest = false
  /// True if the view's order of rows changed, so that rows need not move with their parents.
  package var hasNewOrder = false

  /// True for several batches: only the old and new rows count, and not the operations.
  package var isSpan = false

  /// Creates the moves of these identities.
  package init(relocated: Set<Int> = []) {
    self.relocated = relocated
  }

  /// Adds nodes that a sort by their content moved.
  mutating func include(_ nodes: Set<Int>) {
    relocated.formUnion(nodes)
    carried.formUnion(nodes)
  }

  /// Returns the moves of this batch followed by another.
  func followed(by next: ModelMoves) -> ModelMoves {
    var both = ModelMoves(relocated: relocated.union(next.relocated))
    both.carried = carried.union(next.carried)
    both.hasNewOrder = hasNewOrder || next.hasNewOrder
    both.isSpan = true
    return both
  }
}
