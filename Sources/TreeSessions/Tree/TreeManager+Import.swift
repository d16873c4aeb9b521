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
    try once(options, at: now) { manager throws(ServiceError) in
      try manager.checkRoom(for: nodes.nodes.count)
      manager.begin()
      do throws(ServiceError) {
        let grafts = try Grafts(nodes, into: manager)
        for (parent, nodes) in grafts.all {
          try manager.insert(nodes, of: grafts.batch, under: parent, .default)
        }
      } catch {
        manager.undo()
        throw error
      }
      return manager.concludeData(applied: nodes.nodes.count, options)
    }
  }
}
