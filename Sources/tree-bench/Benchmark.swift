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
    [LoadBenchmarks.memory, MemoryBackBenchmark.benchmark]
      + [LoadBenchmarks.load, ReadBenchmarks.reads, ReadBenchmarks.toggledReads]
      + [EditBenchmarks.leafEdits, EditBenchmarks.singleEdits, PauseBenchmark.benchmark]
      + [EditBenchmarks.subtreeMoves, ExpansionBenchmarks.expansion, ExpansionBenchmarks.rules]
      + [WatcherBenchmark.benchmark, FilterBenchmark.benchmark, ImportBenchmark.benchmark]
      + [DecodingBenchmark.benchmark, EncodingBenchmark.benchmark]
      + [OverHTTPBenchmarks.pageOverHTTP, OverHTTPBenchmarks.batchOverHTTP]
      + [OverHTTPBenchmarks.sessionOverHTTP, CrowdBenchmark.benchmark, SessionBenchmark.benchmark]
      + [FindBenchmark.benchmark, SiblingBenchmark.benchmark, BesideBenchmark.benchmark(target)]
      + [DepthBenchmark.benchmark, WeightBenchmark.benchmark, ImageBenchmark.benchmark]
      + [SoakBenchmark.benchmark, ServiceSoakBenchmark.benchmark, ChurnBenchmark.benchmark]
      + [CurveBenchmark.benchmark, DurableBenchmark.benchmark, ReopeningBenchmark.benchmark]
      + [ConnectionBenchmark.benchmark, HTTPBenchmark.benchmark]
  }
}
