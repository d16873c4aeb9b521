import Glibc
import HTTPServer

/// Runs the benchmarks that the command line names, or all: `tree-bench [name…] [--size n]`.
///
/// It prints a line for each figure: the label, the nodes in the tree, the figure per operation,
/// and a checksum. `tree-bench attack [case…]` attacks a server, and prints the effect on normal
/// users.
@main
struct TreeBench {
  static func main() {
    guard let choice = Choice(CommandLine.arguments.dropFirst()) else {
      print("tree-bench [name…] [--size n] [--server PATH]")
      print("names: " + Benchmark.all().map(\.name).joined(separator: " "))
      print(
        "tree-bench attack [case…] [--size n] [--server PATH | --server http://127.0.0.1:PORT] "
          + "[--memory-limit BYTES] [-- settings of the server…]"
      )
      print("cases: " + Attack.all.map(\.name).joined(separator: " "))
      return
    }
    _ = SystemMemory()
    for benchmark in choice.benchmarks {
      for measurement in benchmark.run(choice.size ?? benchmark.largeSize) {
        print(measurement.line)
      }
    }
    var isFaulty = false
    for attack in choice.attacks {
      let report = attack.make(on: choice.target, size: choice.size)
      print(report.lines.joined(separator: "\n"))
      isFaulty = isFaulty || !report.faults.isEmpty
    }
    if isFaulty { exit(1) }
  }

  /// The benchmarks, attacks and options that the command line names.
  struct Choice {
    var benchmarks: [Benchmark] = []
    var attacks: [Attack] = []
    var size: Int?
    var target = ServiceTarget()

    /// Parses the arguments; nil if they contain an unknown name or an invalid number.
    init?(_ arguments: some Sequence<String>) {
      var rest = Array(arguments)[...]
      var names: [String] = []
      while let argument = rest.popFirst() {
        if argument == "--size" {
          guard let given = rest.popFirst().flatMap({ Int($0) }), given >= 1 else { return nil }
          size = given
        } else if argument.hasPrefix("--") {
          guard target.consume(argument, &rest) else { return nil }
        } else {
          names.append(argument)
        }
      }
      guard resolve(names[...]) else { return nil }
    }

    /// Finds benchmarks by name, or attacks if the first name is `attack`; false for an unknown
    /// name.
    private mutating func resolve(_ names: ArraySlice<String>) -> Bool {
      guard names.first != "attack" else {
        let cases = names.dropFirst()
        attacks = Attack.all.filter { cases.isEmpty || cases.contains($0.name) }
        return cases.isEmpty || attacks.count == Set(cases).count
      }
      let all = Benchmark.all(target)
      if names.isEmpty { benchmarks = all }
      for name in names {
        guard let found = all.first(where: { $0.name == name }) else { return false }
        benchmarks.append(found)
      }
      // The smallest of the benchmarks' trees have a hundred nodes.
      return (size ?? 100) >= 100
    }
  }
}
