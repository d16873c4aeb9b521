/// What a change list may show as moves, where more than one would turn the old rows into the new.
package struct ModelMoves: Sendable {
  /// The identities of nodes that operations moved or put in order, with what was below them. Any
  /// other row only shifts.
  package var relocated: Set<Int>
  /// The nodes among them that did not only go along with their section.
  package var carried: Set<Int> = []
  /// Whether siblings were ordered anew as a whole, so that the fewest possible of them move.
  package var isFewest = false
  /// Whether the rows have another order, so that what stands below another row has nothing to say.
  package var hasNewOrder = false

  /// Whether several batches led there: what counts is the rows then and now, and no operation.
  package var isSpan = false

  /// Moves of these identities.
  package init(relocated: Set<Int> = []) {
    self.relocated = relocated
  }

  /// Adds nodes that moved as they are sorted by what they contain.
  mutating func include(_ nodes: Set<Int>) {
    relocated.formUnion(nodes)
    carried.formUnion(nodes)
  }

  /// The moves of this and then of another batch.
  func followed(by next: ModelMoves) -> ModelMoves {
    var both = ModelMoves(relocated: relocated.union(next.relocated))
    both.carried = carried.union(next.carried)
    both.hasNewOrder = hasNewOrder || next.hasNewOrder
    both.isSpan = true
    return both
  }
}
