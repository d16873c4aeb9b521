import TreeDomain
import TreeEngine

// Importing many nodes, each of which names its parent.
extension TreeManager {
  /// Inserts nodes below parents in the tree or earlier in the import, all or none.
  ///
  /// - Throws: The reason to refuse the import, with the line. Nothing has changed then.
  mutating func importNodes(
    _ imported: consuming ImportForest,
    _ options: BatchOptions,
    at now: Int
  ) throws(ServiceError) -> TreeBatchAnswer {
    var imported = imported
    return try once(options, at: now) { manager throws(ServiceError) in
      let nodes = imported.nodes
      try manager.demand(manager.size(importing: nodes))
      manager.publishCopy(before: manager.size(importing: nodes))
      try manager.checkRoom(for: imported)
      manager.begin()
      manager.sortKeys = SortKeyCache(isKeeping: true)
      defer { manager.sortKeys = SortKeyCache() }
      do throws(ServiceError) {
        let targets = try manager.targets(of: imported)
        let made = try manager.make(imported, upTo: targets.refusal?.number)
        if let refusal = targets.refusal { throw refusal.error }
        try manager.linkAll(&imported, made, targets.found)
        manager.sortKeys = SortKeyCache()
      } catch {
        manager.undo()
        throw error
      }
      return try manager.concludeData(applied: imported.nodes.nodeCount, options)
    }
  }

  private func checkRoom(for imported: borrowing ImportForest) throws(ServiceError) {
    let room = max(0, limits.maxNodesPerTree - nodeCount)
    do throws(ServiceError) {
      try checkRoom(for: imported.nodes.nodeCount, bytes: imported.nodes.byteCount)
    } catch {
      throw room < imported.nodes.nodeCount ? error.at(line: imported[Int32(room)].line) : error
    }
  }

  /// The parents of an import's roots, and the first root whose parent does not exist.
  private struct ImportTargets {
    var found: [(parent: NodeID, roots: [Int32])] = []
    var refusal: (number: Int32, error: ServiceError)?
  }

  /// Finds the nodes of the tree that become parents of roots.
  private func targets(of imported: ImportForest) throws(ServiceError) -> ImportTargets {
    var targets = ImportTargets()
    var places: [NodeID: Int] = [:]
    for root in imported.roots {
      try meter.count(2)
      let (part, index) = imported.place(of: root)
      let node = imported.nodes.parts[part].nodes[index]
      do throws(ServiceError) {
        let parent = try target(of: node, in: imported.nodes.parts[part])
        // The parent is often that of the root before.
        if let last = targets.found.indices.last, targets.found[last].parent == parent {
          targets.found[last].roots.append(root)
        } else if let place = places[parent] {
          targets.found[place].roots.append(root)
        } else {
          places[parent] = targets.found.count
          targets.found.append((parent, [root]))
        }
      } catch {
        targets.refusal = (root, error.at(line: node.line))
        return targets
      }
    }
    return targets
  }

  private func target(
    of node: Import.ImportedNode,
    in part: Import.Part
  ) throws(ServiceError) -> NodeID {
    switch node.above {
    case .nothing: firstSection
    case .parent(let key): try findParent(part[key])
    case .section(let name): try section(named: part[name])
    }
  }

  /// Makes all nodes of an import, or those up to a number, without linking them to parents.
  private mutating func make(
    _ imported: ImportForest,
    upTo last: Int32?
  ) throws(ServiceError) -> [NodeID] {
    let count = last.map { Int($0) + 1 } ?? imported.nodes.nodeCount
    var made: [NodeID] = []
    made.reserveCapacity(count)
    tree.reserve(nodes: count)
    for part in imported.nodes.parts {
      try checkUndo()
      let nodes = part.nodes.prefix(count - made.count)
      let meter = meter
      made += try meter.relay { () throws(TreeError) in
        try tree.make(nodes.map { NewNode($0) }[...], bytes: part.bytes) {
          steps throws(Interruption) in try meter.step(steps)
        }
      } _: { error in
        guard case .duplicateKey(let offset) = error else { return service(error) }
        return duplicate(part[nodes[offset].key]).at(line: nodes[offset].line)
      }
    }
    return made
  }

  /// Links the new nodes to their parents.
  ///
  /// An error about depth names the first line at fault.
  private mutating func linkAll(
    _ imported: inout ImportForest,
    _ made: [NodeID],
    _ targets: [(parent: NodeID, roots: [Int32])]
  ) throws(ServiceError) {
    do throws(ServiceError) {
      try link(&imported, made, targets)
    } catch {
      let tops = targets.map { (depth: tree.depth(of: $0.parent) + 1, roots: $0.roots) }
      let number = imported.first(deeperThan: tree.maxDepth, under: tops)
      throw number.map { error.at(line: imported[$0].line) } ?? error
    }
  }

  private mutating func link(
    _ imported: inout ImportForest,
    _ made: [NodeID],
    _ targets: [(parent: NodeID, roots: [Int32])]
  ) throws(ServiceError) {
    guard !sort.isEmpty else {
      for (parent, roots) in targets {
        sorted.forget(parent)
        let run = try imported.run(of: roots[...], made, counting: meter.count)
        try link(run, under: parent, at: tree.childCount(of: parent))
      }
      return
    }
    try meter.count(imported.nodes.nodeCount)
    try imported.arrangeChildren { children throws(ServiceError) in
      try inOrder(sortKeys(of: children, made)).map { children[$0] }
    }
    for (parent, roots) in targets {
      try link(roots, of: imported, made, under: parent)
    }
  }

  /// Inserts roots between the children of a parent, by the order of the tree.
  ///
  /// Each root goes before the first child that is greater. These places ascend with the roots, so
  /// whole runs are inserted at once, the last one first.
  private mutating func link(
    _ roots: [Int32],
    of imported: ImportForest,
    _ made: [NodeID],
    under parent: NodeID
  ) throws(ServiceError) {
    let keys = try sortKeys(of: roots, made)
    let places = try inOrder(keys)
    let numbers = places.map { roots[$0] }
    let indexes = try places.map { place throws(ServiceError) in
      try sortedIndex(of: keys[place], by: sort, under: parent)
    }
    var end = indexes.count
    while end > 0 {
      var start = end - 1
      while start > 0, indexes[start - 1] == indexes[start] { start -= 1 }
      let run = try imported.run(of: numbers[start..<end], made, counting: meter.count)
      try link(run, under: parent, at: indexes[start])
      end = start
    }
  }

  /// Returns the sort keys of nodes by the order of the tree.
  private func sortKeys(of numbers: [Int32], _ made: [NodeID]) throws(ServiceError) -> SortKeys {
    var keys = SortKeys(sort, capacity: numbers.count)
    for number in numbers {
      let subject = subject(made[Int(number)])
      try meter.count(sort.steps(toRead: subject))
      keys.append(subject)
    }
    return keys
  }

  /// Returns the indexes of keys in sorted order.
  ///
  /// The sort is stable.
  private func inOrder(_ keys: SortKeys) throws(ServiceError) -> [Int] {
    try keys.sorted(counting: meter.count)
  }

  private mutating func link(
    _ run: [(node: NodeID, depth: Int32)],
    under parent: NodeID,
    at index: Int
  ) throws(ServiceError) {
    try edited { tree, count throws(TreeError) in
      try tree.link(run, under: parent, at: index, counting: count)
    }
  }
}

extension NewNode {
  fileprivate init(_ node: Import.ImportedNode) {
    self.init(
      key: node.key.range,
      object: node.object.range,
      depth: 0,
      childState: node.childState,
      hint: node.hint
    )
  }
}

extension ServiceError {
  fileprivate func at(line: Int32) -> ServiceError {
    var error = self
    error.line = Int(line)
    return error
  }
}
