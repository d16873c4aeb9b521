import TreeDomain
import TreeEngine

// The selection of a session.
extension ViewEditing {
  func select(
    _ target: SelectionTarget,
    of batch: Batch,
    in content: inout TreeContent
  ) throws(ServiceError) {
    switch target {
    case .keys(let keys):
      try select(try content.findAll(batch.keys[keys.range], in: batch), in: &content)
    case .subtree(let key):
      let top = try content.find(batch[key])
      try checkMode(isSingle: content.tree.childCount(of: top) == 0)
      let bytes = content.tree.subtreeSize(of: top) * EngineTree.bytesPerSelectedNode
      try content.checkRoom(bytes: bytes, of: session)
      if session.options.selection == .single { try clearSelection(in: &content) }
      try content.counted { tree, count throws(Interruption) in
        try tree.selectSubtree(of: top, in: session.view, counting: count)
      }
    }
  }

  func select(
    _ nodes: [NodeID],
    in content: inout TreeContent
  ) throws(ServiceError) {
    try checkMode(isSingle: nodes.allSatisfy { $0 == nodes.first })
    if session.options.selection == .single { try clearSelection(in: &content) }
    try content.meter.count(nodes.count)
    if nodes.count > 1 {
      try content.checkRoom(bytes: nodes.count * EngineTree.bytesPerSelectedNode, of: session)
    }
    content.tree.select(nodes, in: session.view)
  }

  func clearSelection(in content: inout TreeContent) throws(ServiceError) {
    try content.counted { tree, count throws(Interruption) in
      try tree.clearSelection(in: session.view, counting: count)
    }
  }

  private func checkMode(isSingle: Bool) throws(ServiceError) {
    switch session.options.selection {
    case .multiple: return
    case .single:
      guard !isSingle else { return }
      throw ServiceError(
        .selectionMode,
        "This session selects one node at a time; name a single one, or PATCH its `selection`."
      )
    case .none:
      throw ServiceError(
        .selectionMode,
        "Nothing can be selected in this session; PATCH its `selection` first."
      )
    }
  }

  func deselect(
    _ target: SelectionTarget,
    of batch: Batch,
    in content: inout TreeContent
  ) throws(ServiceError) {
    switch target {
    case .keys(let keys):
      try content.meter.count(keys.count)
      content.tree.deselect(
        try content.findAll(batch.keys[keys.range], in: batch),
        in: session.view
      )
    case .subtree(let key):
      let top = try content.find(batch[key])
      try content.counted { tree, count throws(Interruption) in
        try tree.deselectSubtree(of: top, in: session.view, counting: count)
      }
    }
  }
}
