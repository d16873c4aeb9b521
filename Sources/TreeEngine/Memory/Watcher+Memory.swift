extension Watcher {
  /// The memory of the view, without its history and its changes in the running transaction.
  ///
  /// - Complexity: O(1).
  var memory: ViewMemory {
    var memory = ViewMemory(views: view.byteCount, selections: selected.byteCount)
    if let aside { memory.views += aside.byteCount + MemoryLayout<View<Width>>.stride }
    if let layering {
      memory.layers = MemoryLayout<Layering<Width>>.stride + (layering.layer?.byteCount ?? 0)
    }
    return memory
  }

  /// True if the running transaction may have changed what ``memory`` counts.
  var mayHaveOtherMemory: Bool {
    isLayered || hasNewRule || !toggledBefore.isEmpty || !selectedBefore.isEmpty
  }
}

extension RowLayer {
  /// The memory of the rows and members, in bytes.
  ///
  /// - Complexity: O(1).
  var byteCount: Int { (filter?.byteCount ?? 0) + (reordered?.byteCount ?? 0) }
}

extension RowFilter {
  /// The memory of the members and rows, in bytes.
  ///
  /// - Complexity: O(1).
  var byteCount: Int { members.byteCount + rows.byteCount }
}
