import TreeDomain
import TreeEngine

// Many nodes at once, each with its parent's key.
extension TreeManager {
  /// Inserts nodes below parents that are there or came before them, all or none.
  mutating func importNodes(
    _ nodes: Import,
    _ options: BatchOptions,
    at now: Int
  ) throws(ServiceError) -> TreeBatchAnswer {
    guard !hasEnded else { throw .treeNotFound }
    if let key = options.idempotency,
      var answer = try replays.answer(for: key, at: now, limits)
    {
      answer.wasReplayed = true
      return answer
    }
    try check(options.condition, at: treeRevision)
    try checkRoom(for: nodes.nodes.count)
    begin()
    do throws(ServiceError) {
      let grafts = try Grafts(nodes, into: self)
      for (parent, nodes) in grafts.all {
        try insert(nodes, of: grafts.batch, under: parent, .default)
      }
      let answer = concludeData(applied: nodes.nodes.count, options)
      replays.keep(.success(answer), of: 0, options, at: now, limits)
      return answer
    } catch {
      undo()
      replays.keep(.failure(error), of: 0, options, at: now, limits)
      throw error
    }
  }
}
