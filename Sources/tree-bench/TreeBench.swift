import HTTPServer

/// `tree-bench [name…] [--size n]`: runs the benchmarks named, or all, and prints a line for each
/// figure: what, nodes in the tree, per operation, checksum.
@main
struct TreeBench {
  static func main() {
    guard let choice = Choice(CommandLine.arguments.dropFirst()) else {
      print("tree-bench [name…] [--size n]")
      print("names: " + Benchmark.all.map(\.name).joined(separator: " "))
      return
    }
    _ = SystemMemory()
    for benchmark in choice.benchmarks {
      for measurement in benchmark.run(choice.size ?? benchmark.largeSize) {
        print(measurement.line)
      }
    }
  }

  /// What the command line asks for.
  struct Choice {
    var benchmarks: [Benchmark] = []
    var size: Int?

    /// Nil when there is a name or number among the arguments that means nothing.
    init?(_ arguments: some Sequence<String>) {
      var rest = Array(arguments)[...]
      while let argument = rest.popFirst() {
        if argument == "--size" {
          guard let given = rest.popFirst().flatMap({ Int($0) }), given >= 100 else { return nil }
          size = given
        } else {
          guard let found = Benchmark.all.first(where: { $0.name == argument }) else { return nil }
          benchmarks.append(found)
        }
      }
      if benchmarks.isEmpty { benchmarks = Benchmark.all }
    }
  }
}
