/// A group of measurements on one tree, at any size.
struct Benchmark {
  /// The name by which the command line picks it.
  var name: String
  /// A size that takes next to no time, for the tests.
  var smallSize: Int
  /// The size its figures are quoted at.
  var largeSize: Int
  /// Measures at a size.
  var run: (_ size: Int) -> [Measurement]

  /// Returns all there are; those that start a server start that of a target.
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
