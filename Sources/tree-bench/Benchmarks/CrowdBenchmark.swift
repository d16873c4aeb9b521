import TreeDomain

/// A write to a shared tree with many sessions, as one of them sends it.
///
/// The sessions are first all alike, and then each has toggled other nodes.
enum CrowdBenchmark {
  static var benchmark: Benchmark {
    Benchmark(name: "crowd", smallSize: 1_000, largeSize: 1_000_000) { size in
      let tree = StoredTree(.tenfold, count: size)
      let sessions = (0..<(size < 10_000 ? 10 : 1_000)).map { _ in tree.open() }
      let alike = measureWrites(to: tree, sessions, "alike")
      for (number, session) in sessions.enumerated() {
        var random = SplitMix(seed: UInt64(number))
        let toggles = (0..<10).map { _ in
          let key = StoredTree.key(size / 2 + random.below(size / 2))
          return #"{"op":"toggle","key":"\#(key)"}"#
        }
        tree.apply(toggles.joined(separator: ","), to: session)
      }
      return alike + measureWrites(to: tree, sessions, "10 toggles each")
        + measureRemovals(from: tree, sessions)
    }
  }

  /// Measures the removal of nine tenths of the tree in one batch, a tenth with each operation.
  private static func measureRemovals(
    from tree: StoredTree,
    _ sessions: [SessionID]
  ) -> [Measurement] {
    let depths = Shape.tenfold.depths(count: tree.size)
    let doomed = depths.indices.filter { depths[$0] == 1 }.dropFirst()
    let removals = doomed.map { #"{"op":"remove","key":"\#(StoredTree.key($0))"}"# }
    let batch = removals.joined(separator: ",")
    let label = "remove \(doomed.count) tenths at once, \(sessions.count) sessions"
    return [
      Measurement(label, size: tree.size, rounds: 1, operations: 1) {
        UInt64(tree.apply(batch, to: sessions[0]))
      }
    ]
  }

  private static func measureWrites(
    to tree: StoredTree,
    _ sessions: [SessionID],
    _ label: String
  ) -> [Measurement] {
    var random = SplitMix(seed: 5)
    let label = "\(sessions.count) sessions, \(label)"
    let operations = tree.size < 10_000 ? 10 : 200
    func measure(_ name: String, _ operation: (_ number: Int) -> String) -> Measurement {
      var number = 0
      return Measurement("\(name), \(label)", size: tree.size, operations: operations) {
        (0..<operations).reduce(0) { checksum, round in
          number += 1
          let author = sessions[round % sessions.count]
          return checksum &* 31 &+ UInt64(tree.apply(operation(number), to: author) + 1)
        }
      }
    }
    // Every session sees what is in the first half.
    func randomKey() -> String { StoredTree.key(random.below(tree.size / 2)) }
    return [
      measure("insert") { number in
        #"{"op":"insert","key":"\#(label)\#(number)","parent":"\#(randomKey())","index":0}"#
      },
      measure("move") { number in
        #"{"op":"move","key":"\#(label)\#(number)","parent":"\#(randomKey())","index":0}"#
      },
      measure("update") { number in
        let object = StoredTree.object(number, size: number)
        return #"{"op":"update","key":"\#(label)\#(number)","object":\#(object)}"#
      },
      measure("remove") { number in #"{"op":"remove","key":"\#(label)\#(number)"}"# },
    ]
  }
}
