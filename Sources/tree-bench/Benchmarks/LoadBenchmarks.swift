import TreeEngine

/// A whole tree that is inserted at once: its time and its memory.
enum LoadBenchmarks {
  /// Insertion of a whole tree at once, per node.
  static var load: Benchmark {
    Benchmark(name: "load", smallSize: 1_000, largeSize: 1_000_000) { size in
      let list = NodeList(.tenfold, count: size)
      return [
        Measurement("bulk load, a node", size: size, operations: size) {
          var tree = Tree<64>()
          tree.begin()
          _ = try? tree.insert(list.nodes[...], bytes: list.bytes, under: .forestRoot, at: 0) { _ in
          }
          tree.commit()
          return UInt64(tree.nodeCount)
        }
      ]
    }
  }

  /// Resident memory per node, without the bytes of keys and objects.
  static var memory: Benchmark {
    Benchmark(name: "memory", smallSize: 1_000, largeSize: 1_000_000) { size in
      let list = NodeList(.tenfold, count: size)
      let before = residentBytes()
      var tree = Tree<64>()
      tree.begin()
      _ = try? tree.insert(list.nodes[...], bytes: list.bytes, under: .forestRoot, at: 0) { _ in }
      tree.commit()
      let grown = residentBytes() - before - list.bytes.count
      return [
        Measurement(
          label: "memory beyond keys and objects",
          size: size,
          value: Double(grown) / Double(size),
          unit: .bytes,
          checksum: UInt64(tree.nodeCount)
        )
      ]
    }
  }
}
