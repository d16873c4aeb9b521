import Testing

@testable import tree_bench

struct BenchmarkTests {
  @Test(arguments: Benchmark.all().map(\.name))
  func `every benchmark runs at its small size and gives the same checksums twice`(
    name: String
  ) throws {
    let benchmark = try #require(Benchmark.all().first { $0.name == name })
    let first = benchmark.run(benchmark.smallSize)
    #expect(!first.isEmpty)
    #expect(first.allSatisfy { $0.value.isFinite && $0.checksum != 0 }, "\(first.map(\.line))")
    let second = benchmark.run(benchmark.smallSize)
    #expect(first.map(\.checksum) == second.map(\.checksum))
  }

  @Test(arguments: Shape.allCases)
  func `a shape has as many nodes as asked for and no gap in depth`(shape: Shape) {
    for count in [1, 2, 11, 12, 1_000] {
      let depths = shape.depths(count: count)
      #expect(depths.count == count)
      #expect(depths.first == 0)
      #expect(zip(depths, depths.dropFirst()).allSatisfy { $1 >= 1 && $1 <= $0 + 1 })
    }
  }

  @Test func `the command line picks benchmarks and a size`() throws {
    let choice = try #require(TreeBench.Choice(["load", "--size", "500", "reads"]))
    #expect(choice.benchmarks.map(\.name) == ["load", "reads"])
    #expect(choice.size == 500)
    #expect(TreeBench.Choice([String]())?.benchmarks.count == Benchmark.all().count)
  }

  @Test(arguments: [["lod"], ["--size"], ["--size", "many"], ["--size", "3"]])
  func `a command line that means nothing is refused`(arguments: [String]) {
    #expect(TreeBench.Choice(arguments) == nil)
  }
}
