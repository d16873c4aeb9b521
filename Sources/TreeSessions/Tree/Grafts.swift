import TreeDomain
import TreeEngine

/// Imported nodes as subtrees in pre-order, each with the node of the tree it goes under.
///
/// Lines name their parents by key, parents come before children, and siblings keep the order of
/// their lines; in between, lines of different parents may mix.
struct Grafts {
  private(set) var batch: Batch
  private(set) var all: [(parent: NodeID, nodes: Range<Int>)] = []

  // A list of children a line: the first, the last, and from each the next.
  private var firstChild: [Int32]
  private var lastChild: [Int32]
  private var nextSibling: [Int32]
  private var roots: [(line: Int32, parent: NodeID)] = []

  /// - Throws: `duplicate-key`, `parent-not-found` and `section-not-found`, each with its line.
  /// - Complexity: O(*n*) on average.
  init(
    _ nodes: Import,
    into manager: borrowing TreeManager
  ) throws(ServiceError) {
    batch = Batch(bytes: nodes.bytes, operations: [], nodes: [])
    firstChild = [Int32](repeating: -1, count: nodes.nodes.count)
    lastChild = firstChild
    nextSibling = firstChild
    try link(nodes, manager)
    batch.nodes.reserveCapacity(nodes.nodes.count)
    for (line, parent) in roots {
      let start = batch.nodes.count
      append(line, of: nodes)
      all.append((parent, start..<batch.nodes.count))
    }
  }

  /// Finds each line's parent: an earlier line or a node that is there.
  private mutating func link(
    _ nodes: Import,
    _ manager: borrowing TreeManager
  ) throws(ServiceError) {
    var lines: [ArraySlice<UInt8>: Int32] = [:]
    lines.reserveCapacity(nodes.nodes.count)
    for (line, node) in nodes.nodes.enumerated() {
      do throws(ServiceError) {
        let key = batch[node.key]
        guard manager.tree.node(forKey: key.span) == nil, lines[key] == nil else {
          throw manager.duplicate(key)
        }
        lines[key] = Int32(line)
        if let parent = node.parent, let above = lines[batch[parent]], above != line {
          adopt(Int32(line), by: Int(above))
        } else {
          roots.append((Int32(line), try Self.parent(of: node, batch, manager)))
        }
      } catch {
        var error = error
        error.line = node.line
        throw error
      }
    }
  }

  private static func parent(
    of node: Import.ImportedNode,
    _ batch: Batch,
    _ manager: borrowing TreeManager
  ) throws(ServiceError) -> NodeID {
    if let parent = node.parent { return try manager.findParent(parent, in: batch) }
    guard let section = node.section else { return manager.firstSection }
    return try manager.section(named: batch[section])
  }

  private mutating func adopt(_ line: Int32, by parent: Int) {
    if lastChild[parent] < 0 {
      firstChild[parent] = line
    } else {
      nextSibling[Int(lastChild[parent])] = line
    }
    lastChild[parent] = line
  }

  /// Appends a line and everything below it, in pre-order.
  private mutating func append(_ root: Int32, of nodes: Import) {
    var path = [root]
    while let line = path.last {
      append(nodes.nodes[Int(line)], line, depth: path.count - 1)
      if firstChild[Int(line)] >= 0 {
        path.append(firstChild[Int(line)])
        continue
      }
      // Up to the first that has a sibling behind it; the root's own belong to others.
      while let last = path.popLast(), !path.isEmpty {
        let next = nextSibling[Int(last)]
        guard next < 0 else {
          path.append(next)
          break
        }
      }
    }
  }

  private mutating func append(_ node: Import.ImportedNode, _ line: Int32, depth: Int) {
    let hasChildren = firstChild[Int(line)] >= 0
    batch.nodes.append(
      NewNode(
        key: node.key.range,
        object: node.object.range,
        depth: depth,
        childState: hasChildren ? .loaded : node.childState,
        hint: hasChildren ? nil : node.hint
      )
    )
  }
}
