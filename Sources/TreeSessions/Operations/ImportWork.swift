import TreeDomain
import TreeEngine

/// The import of many nodes, each of which names its parent.
struct ImportWork {
  /// The parents of roots, and the first root whose parent does not exist.
  private struct Targets {
    var found: [(parent: NodeID, roots: [Int32])] = []
    var refusal: (number: Int32, error: ServiceError)?
  }

  private var imported: ImportForest

  init(_ imported: consuming ImportForest) { self.imported = imported }

  /// Inserts the nodes below parents in the tree or earlier in the import.
  ///
  /// - Throws: The reason to refuse the import, with the line. The caller must roll back then.
  mutating func apply(to content: inout TreeContent) throws(ServiceError) {
    content.siblings.beginKeys(isKeeping: true)
    defer { content.siblings.endKeys() }
    let targets = try targets(in: content)
    let made = try make(upTo: targets.refusal?.number, in: &content)
    if let refusal = targets.refusal { throw refusal.error }
    try linkAll(made, targets.found, in: &content)
  }

  /// Checks that the nodes can be added.
  ///
  /// - Throws: `content-too-large`, with the line, or `overloaded`.
  func checkRoom(in content: borrowing TreeContent) throws(ServiceError) {
    let room = max(0, content.limits.maxNodesPerTree - content.nodeCount)
    do throws(ServiceError) {
      try content.checkRoom(for: imported.nodes.nodeCount, bytes: imported.nodes.byteCount)
    } catch {
      throw room < imported.nodes.nodeCount ? error.at(line: imported[Int32(room)].line) : error
    }
  }

  /// Finds the nodes of the tree that become parents of roots.
  private func targets(in content: borrowing TreeContent) throws(ServiceError) -> Targets {
    var targets = Targets()
    var places: [NodeID: Int] = [:]
    for root in imported.roots {
      try content.meter.count(2)
      let (part, index) = imported.place(of: root)
      let node = imported.nodes.parts[part].nodes[index]
      do throws(ServiceError) {
        let parent = try target(of: node, in: imported.nodes.parts[part], content)
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
    in part: Import.Part,
    _ content: borrowing TreeContent
  ) throws(ServiceError) -> NodeID {
    switch node.above {
    case .nothing: content.sections.first
    case .parent(let key): try content.findParent(part[key])
    case .section(let name): try content.section(named: part[name])
    }
  }

  /// Makes all nodes of an import, or those up to a number, without linking them to parents.
  private func make(
    upTo last: Int32?,
    in content: inout TreeContent
  ) throws(ServiceError) -> [NodeID] {
    let count = last.map { Int($0) + 1 } ?? imported.nodes.nodeCount
    var made: [NodeID] = []
    made.reserveCapacity(count)
    content.tree.reserve(nodes: count)
    for part in imported.nodes.parts {
      try content.checkUndo()
      let nodes = part.nodes.prefix(count - made.count)
      let meter = content.meter
      made += try meter.relay { () throws(TreeError) in
        try content.tree.make(nodes.map { NewNode($0) }[...], bytes: part.bytes) {
          steps throws(Interruption) in try meter.step(steps)
        }
      } _: { error in
        guard case .duplicateKey(let offset) = error else { return content.service(error) }
        return content.duplicate(part[nodes[offset].key]).at(line: nodes[offset].line)
      }
    }
    return made
  }

  /// Links the new nodes to their parents.
  ///
  /// An error about depth names the first line at fault.
  private mutating func linkAll(
    _ made: [NodeID],
    _ targets: [(parent: NodeID, roots: [Int32])],
    in content: inout TreeContent
  ) throws(ServiceError) {
    do throws(ServiceError) {
      try link(made, targets, in: &content)
    } catch {
      let tops = targets.map { (depth: content.tree.depth(of: $0.parent) + 1, roots: $0.roots) }
      let number = imported.first(deeperThan: content.tree.maxDepth, under: tops)
      throw number.map { error.at(line: imported[$0].line) } ?? error
    }
  }

  private mutating func link(
    _ made: [NodeID],
    _ targets: [(parent: NodeID, roots: [Int32])],
    in content: inout TreeContent
  ) throws(ServiceError) {
    guard !content.sort.isEmpty else {
      for (parent, roots) in targets {
        content.siblings.forget(parent)
        let run = try imported.run(of: roots[...], made, counting: content.meter.count)
        try link(run, under: parent, at: content.tree.childCount(of: parent), in: &content)
      }
      return
    }
    let meter = content.meter
    try meter.count(imported.nodes.nodeCount)
    try imported.arrangeChildren { children throws(ServiceError) in
      try Self.sortKeys(of: children, made, in: content).sorted(counting: meter.count).map {
        children[$0]
      }
    }
    for (parent, roots) in targets {
      try link(roots, made, under: parent, in: &content)
    }
  }

  /// Inserts roots between the children of a parent, by the order of the tree.
  ///
  /// Each root goes before the first child that is greater. These places ascend with the roots, so
  /// whole runs are inserted at once, the last one first.
  private func link(
    _ roots: [Int32],
    _ made: [NodeID],
    under parent: NodeID,
    in content: inout TreeContent
  ) throws(ServiceError) {
    let meter = content.meter
    let keys = try Self.sortKeys(of: roots, made, in: content)
    let places = try keys.sorted(counting: meter.count)
    let numbers = places.map { roots[$0] }
    let indexes = try places.map { place throws(ServiceError) in
      try content.siblings.index(
        of: keys[place],
        by: content.sort,
        under: parent,
        in: content.tree,
        meter
      )
    }
    var end = indexes.count
    while end > 0 {
      var start = end - 1
      while start > 0, indexes[start - 1] == indexes[start] { start -= 1 }
      let run = try imported.run(of: numbers[start..<end], made, counting: content.meter.count)
      try link(run, under: parent, at: indexes[start], in: &content)
      end = start
    }
  }

  /// Returns the sort keys of nodes by the order of the tree.
  private static func sortKeys(
    of numbers: [Int32],
    _ made: [NodeID],
    in content: borrowing TreeContent
  ) throws(ServiceError) -> SortKeys {
    var keys = SortKeys(content.sort, capacity: numbers.count)
    for number in numbers {
      let subject = SortOrder.Subject(of: made[Int(number)], in: content.tree)
      try content.meter.count(content.sort.steps(toRead: subject))
      keys.append(subject)
    }
    return keys
  }

  private func link(
    _ run: [(node: NodeID, depth: Int32)],
    under parent: NodeID,
    at index: Int,
    in content: inout TreeContent
  ) throws(ServiceError) {
    try content.edited { tree, count throws(TreeError) in
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
