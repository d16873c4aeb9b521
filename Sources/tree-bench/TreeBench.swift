import Glibc
import HTTPServer

/// `tree-bench [name…] [--size n]`: runs the benchmarks named, or all, and prints a line for each
/// figure: what, nodes in the tree, per operation, checksum.
///
/// `tree-bench attack [case…]` attacks a server and prints how normal users fare beside that.
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

  /// What the command line asks for.
  struct Choice {
    var benchmarks: [Benchmark] = []
    var attacks: [Attack] = []
    var size: Int?
    var target = ServiceTarget()

    /// Nil when there is a name or number among the arguments that means nothing.
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

    /// Finds what is named; names of attacks come behind `attack`.
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
