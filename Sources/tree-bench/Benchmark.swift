/// A group of measurements on one tree, at any size.
struct Benchmark {
  /// The name on the command line.
  var name: String
  /// A size for tests, which takes little time.
  var smallSize: Int
  /// The size of published figures.
  var largeSize: Int
  /// Measures at a size.
  var run: (_ size: Int) -> [Measurement]

  /// Returns all benchmarks, of which some start the server of a target.
  static func all(_ target: ServiceTarget = ServiceTarget()) -> [Benchmark] {
    // Memory comes first: later, what the others freed would be used again and not counted.
    [memory, memoryBack]
      + [load, reads, toggledReads, leafEdits, singleEdits, pauses, subtreeMoves, expansion, rules]
      + [watchers, filter, importing, decoding, encoding]
      + [pageOverHTTP, batchOverHTTP, sessionOverHTTP]
      + [crowd, sessions, find, siblings, beside(target), depth, weights]
      + [image, soak, serviceSoak, churn, curve]
      + [durable, reopening, connections, http]
  }
}
