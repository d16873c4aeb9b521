import TreeDomain

/// Sessions of a large shared tree: the times to create and delete them, and their memory.
///
/// The first session of a rule and further ones are measured separately, and so is the memory of
/// a toggled node.
enum SessionBenchmark {
  static var benchmark: Benchmark {
    Benchmark(name: "sessions", smallSize: 1_000, largeSize: 1_000_000) { size in
      let tree = StoredTree(.tenfold, count: size)
      let count = size < 10_000 ? 10 : 1_000
      return measureSizes(of: count, on: tree)
        + ["\"all\"", "\"none\"", "3", "6"].flatMap { measureOpening(count, on: tree, rule: $0) }
    }
  }

  private static func measureSizes(of count: Int, on tree: StoredTree) -> [Measurement] {
    let before = allocatedBytes()
    let sessions = (0..<count).map { _ in tree.open() }
    let opened = allocatedBytes()
    let toggled = (0..<count).reduce(0) { toggled, number in
      var random = SplitMix(seed: UInt64(number))
      // Expanding one expands those above it.
      let keys = (0..<100).map { _ in "\"\(StoredTree.key(random.below(tree.size)))\"" }
      let session = tree.open(
        #"{"expansion":"none","expandedKeys":[\#(keys.joined(separator: ","))]}"#
      )
      return toggled + tree.toggledCount(of: session)
    }
    let grown = allocatedBytes()
    let fresh = Double(opened - before) / Double(count)
    return [
      Measurement(
        label: "memory of a session",
        size: tree.size,
        value: fresh,
        unit: .bytes,
        checksum: UInt64(sessions.count)
      ),
      Measurement(
        label: "memory of a node toggled",
        size: tree.size,
        value: (Double(grown - opened) - fresh * Double(count)) / Double(toggled),
        unit: .bytes,
        checksum: UInt64(toggled)
      ),
    ]
  }

  private static func measureOpening(
    _ count: Int,
    on tree: StoredTree,
    rule: String
  ) -> [Measurement] {
    let body = #"{"expansion":\#(rule)}"#
    var sessions: [SessionID] = []
    func open(_ count: Int) -> UInt64 {
      (0..<count).reduce(0) { checksum, _ in
        let session = tree.open(body)
        sessions.append(session)
        return checksum &* 31 &+ UInt64(tree.rowCount(of: session))
      }
    }
    let first = Measurement("first session, \(rule)", size: tree.size, rounds: 1, operations: 1) {
      open(1)
    }
    let further = Measurement("session, \(rule)", size: tree.size, operations: count) {
      open(count)
    }
    let ending = Measurement(
      "end a session, \(rule)",
      size: tree.size,
      rounds: 1,
      operations: sessions.count
    ) {
      for session in sessions { tree.end(session) }
      return UInt64(sessions.count)
    }
    return [first, further, ending]
  }
}
