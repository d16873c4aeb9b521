import TreeDomain
import TreeSessions

extension Benchmark {
  /// Lines read, and brought into a tree of the service: into an empty one in several shapes and
  /// orders, and into one that sessions watch.
  static var importing: Benchmark {
    Benchmark(name: "import", smallSize: 1_000, largeSize: 1_000_000) { size in
      var found: [Measurement] = []
      for order in ImportLines.Order.allCases {
        found += measure(
          "tenfold \(order.rawValue)",
          ImportLines(.tenfold, count: size, order: order),
          size
        )
      }
      found += measure("a star", ImportLines(.star, count: size), size)
      found += measure(
        "a chain",
        ImportLines(.chain, count: min(size, 100_000)),
        min(size, 100_000)
      )
      return found
    }
  }

  private static func measure(_ label: String, _ lines: ImportLines, _ size: Int) -> [Measurement] {
    let pieces = lines.pieces(of: 64 << 10)
    var nodes = Import()
    let reading = Measurement("import \(label): read", size: size, rounds: 3, operations: size) {
      nodes = read(pieces)
      return UInt64(nodes.nodeCount)
    }
    let store = LocalService.makeStore()
    var trees = 0
    let inserting = Measurement("import \(label): insert", size: size, rounds: 3, operations: size)
    {
      trees += 1
      return bringIn(nodes, into: store, "t\(trees)")
    }
    return [reading, inserting]
  }

  private static func read(_ pieces: [[UInt8]]) -> Import {
    do throws(ServiceError) {
      var decoder = ImportDecoder()
      for piece in pieces { try decoder.feed(piece) }
      return try decoder.finish()
    } catch {
      preconditionFailure("a benchmark's lines were refused: \(error)")
    }
  }

  private static func bringIn(_ nodes: Import, into store: SessionStore, _ name: String) -> UInt64 {
    do throws(ServiceError) {
      guard let id = TreeID(validating: name.utf8) else { preconditionFailure("no id") }
      _ = try store.createTree(NewTree(tree: id), nil)
      let answer = try store.importNodes(nodes, into: id, BatchOptions())
      try store.deleteTree(id)
      return UInt64(answer.nodeCount)
    } catch {
      preconditionFailure("a benchmark's import was refused: \(error)")
    }
  }
}
