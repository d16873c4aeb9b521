import TestSupport

@testable import TreeClient

/// Random batches over a tree, by one who knows which keys there are.
actor RandomWriter {
  private let client: TreeClient
  private let tree: String
  private var random: SeededGenerator
  private var keys: [String] = []
  private var made = 0

  init(_ client: TreeClient, tree: String, seed: UInt64) {
    self.client = client
    self.tree = tree
    random = SeededGenerator(seed: seed)
  }

  private func node(depth: Int = 0) -> NewNode {
    made += 1
    let key = "n\(made)"
    keys.append(key)
    var node = NewNode(key)
    node.object = ["name": .string("node \(made)"), "size": .integer(random.number(in: 0...99))]
    if depth < 2 && random.oneIn(3) {
      node.children = .nodes(
        (0..<random.number(in: 1...3)).map { _ in self.node(depth: depth + 1) }
      )
    }
    return node
  }

  private func operation() -> TreeOperation {
    let key = random.element(of: keys)
    let kind = random.number(in: 0...11)
    guard let key, kind > 3 else {
      let parent = random.oneIn(3) ? nil : key
      let place = random.oneIn(2) ? TreeOperation.Place.first : nil
      return .insert(node(), into: parent, at: place)
    }
    switch kind {
    case 4...6: return .update(key, merging: ["size": .integer(random.number(in: 0...99))])
    case 7, 8: return .move(key, into: random.oneIn(3) ? nil : random.element(of: keys))
    case 9, 10: return .remove(key)
    default:
      return .sort(childrenOf: key, by: [TreeSortDescriptor(by: "/size", .descending)])
    }
  }

  /// Sends a batch; one that is refused (a cycle, a key that is gone) changes nothing.
  func write() async throws {
    let operations = (0..<random.number(in: 1...4)).map { _ in operation() }
    do {
      // However long a service takes to start again.
      _ = try await client.applyTreeBatch(tree, operations, RequestOptions(attempts: .max))
    } catch let problem as TreeProblem where [404, 409, 422].contains(problem.status) {
      if problem.status == 404 { keys.removeAll { $0 == problem.key } }
    }
  }
}
