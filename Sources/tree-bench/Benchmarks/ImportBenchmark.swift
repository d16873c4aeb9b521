import TreeDomain
import TreeEngine
import TreeSessions

/// Reading the lines of an import, and inserting their nodes.
///
/// The nodes come in several shapes and orders into an empty tree, and as children and roots into
/// a tree with sessions. The latter is also done over HTTP.
enum ImportBenchmark {
  static var benchmark: Benchmark {
    Benchmark(name: "import", smallSize: 1_000, largeSize: 1_000_000) { size in
      var found: [Measurement] = []
      for order in ImportLines.Order.allCases {
        let lines = ImportLines(.tenfold, count: size, order: order)
        found += measure("tenfold \(order.rawValue)", lines, size)
      }
      let short = min(size, 100_000)
      found += measure("star", ImportLines(.star, count: size), size)
      found += measure("chain", ImportLines(.chain, count: short), short)
      found += measure("roots", ImportLines(roots: size), size)
      found.append(measureWatched(size))
      found.append(measureOverHTTP(size))
      return found
    }
  }

  private static func measure(
    _ label: String,
    _ lines: ImportLines,
    _ size: Int
  ) -> [Measurement] {
    var nodes = Import()
    let reading = Measurement("import \(label): read", size: size, rounds: 3, operations: size) {
      nodes = read(lines)
      return UInt64(nodes.nodeCount)
    }
    let store = LocalService.makeStore()
    let inserting = Measurement(
      "import \(label): insert",
      size: size,
      rounds: 3,
      operations: size
    ) {
      let tree = store.makeTree(.star, count: 1)
      defer { store.delete(tree) }
      return store.insert(nodes, into: tree)
    }
    return [reading, inserting]
  }

  private static func measureWatched(_ size: Int) -> Measurement {
    let store = LocalService.makeStore()
    let tree = store.makeTree(.tenfold, count: size)
    for level in 0..<10 {
      let rule = level == 0 ? .all : ExpansionRule.levels(level)
      _ = store.makeSession(over: tree, options: SessionOptions(expansion: rule))
    }
    var rounds = 0
    return Measurement(
      "import into a tree watched by 10 sessions",
      size: size,
      rounds: 3,
      operations: size
    ) {
      rounds += 1
      let lines = ImportLines(.tenfold, count: size, prefix: "m\(rounds)_", under: "n0")
      return store.insert(read(lines), into: tree)
    }
  }

  private static func measureOverHTTP(_ size: Int) -> Measurement {
    let service = LocalService()
    let connection = service.connect()
    let lines = ImportLines(.tenfold, count: size)
    return Measurement("import over HTTP", size: size, rounds: 3, operations: size) {
      let tree = service.store.makeTree(.star, count: 1)
      let path = Array("/v1/trees/".utf8) + tree.bytes + Array("/import".utf8)
      let request = ServiceRequest.post(path, lines.bytes, type: "application/x-ndjson")
      let status = connection.exchange(request)
      precondition(status == 200, "a benchmark's import was refused with \(status)")
      service.store.delete(tree)
      // The counts at the end; the tree's name stands before them.
      return connection.body.suffix(20).reduce(0) { $0 &* 31 &+ UInt64($1) }
    }
  }

  private static func read(_ lines: ImportLines) -> Import {
    do throws(ServiceError) {
      var decoder = ImportDecoder()
      var start = 0
      while start < lines.bytes.count {
        // As much as one read takes.
        let end = min(start + (64 << 10), lines.bytes.count)
        try decoder.feed(Array(lines.bytes[start..<end]))
        start = end
      }
      return try decoder.finish()
    } catch {
      preconditionFailure("a benchmark's lines were refused: \(error)")
    }
  }
}
