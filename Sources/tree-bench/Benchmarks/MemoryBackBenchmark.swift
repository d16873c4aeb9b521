import TreeEngine

/// Removal of nine tenths of a tree: memory before, memory after the compaction, and its
/// duration.
enum MemoryBackBenchmark {
  static var benchmark: Benchmark {
    Benchmark(name: "memory-back", smallSize: 1_000, largeSize: 1_000_000) { size in
      let list = NodeList(.tenfold, count: size)
      // It is counted as there before, and stays for as long as anything is counted.
      defer { withExtendedLifetime(list) {} }
      let start = residentBytes()
      var tree = Tree<64>()
      let view = tree.addView(rule: .all)
      tree.begin()
      _ = try? tree.insert(list.nodes[...], bytes: list.bytes, under: .forestRoot, at: 0) { _ in }
      tree.commit()
      let full = memory(of: tree, since: start, "memory of a full tree, a node")
      tree.begin()
      let top = tree.child(0, of: .forestRoot)
      while tree.childCount(of: top) > 1 {
        uncounted { count throws(Interruption) in
          try tree.remove(tree.child(1, of: top), counting: count)
        }
      }
      tree.commit()
      let compaction = Measurement("compact, a node held", size: size, rounds: 1, operations: size)
      {
        tree.compact()
        return UInt64(tree.rowCount(of: view))
      }
      return [full, compaction, memory(of: tree, since: start, "memory of what is left, a node")]
    }
  }

  /// Returns the resident memory per node, without keys and objects.
  private static func memory(
    of tree: borrowing Tree<64>,
    since start: Int,
    _ label: String
  ) -> Measurement {
    let grown = residentBytes() - start - tree.byteCount
    return Measurement(
      label: label,
      size: tree.nodeCount,
      value: Double(grown) / Double(tree.nodeCount),
      unit: .bytes,
      checksum: UInt64(tree.nodeCount)
    )
  }
}
