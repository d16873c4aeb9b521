// The answers that show batches without an answer, by their new keys.
extension HistoryIndex {
  /// Finds the lowest revisions at which answers show a node of a batch without an answer.
  mutating func recordNeeds() {
    var writers: [ModelKey: Int] = [:]
    for number in unknown {
      for case .insert(let node, _, _, _) in history.writes[number].operations {
        for key in node.keys { writers[key] = number }
      }
    }
    if writers.isEmpty { return }
    for read in history.reads {
      switch read.content {
      case .page(let page):
        for number in Self.keys(of: page.rows).compactMap({ writers[$0] }) {
          need(number, in: page.session, at: page.revision)
        }
      case .export(let revision, let lines):
        for number in Self.keys(of: lines).compactMap({ writers[$0] }) {
          need(number, at: revision)
        }
      case .changes, .tree: continue
      }
    }
    for write in history.writes {
      guard let list = write.list else { continue }
      for number in write.operations.flatMap(\.usedKeys).compactMap({ writers[$0] }) {
        if write.changesTree {
          need(number, at: list.treeRevision - 1)
        } else if let session = write.session {
          need(number, in: session, at: list.previousRevision)
        }
      }
    }
  }

  private static func keys(of rows: [RawJSON]) -> [ModelKey] {
    rows.compactMap { row in
      guard case .string(let bytes)? = row["key"]?.kind else { return nil }
      return ModelKey(bytes: bytes)
    }
  }
}

extension ModelOperation {
  /// The keys of nodes that must exist before the operation, of those that a writer uses.
  fileprivate var usedKeys: [ModelKey] {
    switch self {
    case .insert(_, let parent, _, _): parent.map { [$0] } ?? []
    case .update(let key, _), .merge(let key, _), .remove(let key): [key]
    case .removeAll(let keys): keys
    case .move(let keys, let parent, _, _): keys + (parent.map { [$0] } ?? [])
    case .expand(let key, _), .collapse(let key, _), .toggle(let key, _): [key]
    case .select(.keys(let keys)): keys
    default: []
    }
  }
}
