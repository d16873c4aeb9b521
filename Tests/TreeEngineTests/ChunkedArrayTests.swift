import TestSupport
import Testing

@testable import TreeEngine

/// Tests with chunks of sixteen numbers, compared with a standard array.
struct ChunkedArrayTests {
  typealias Chunked = ChunkedArray<Int32, Fanout<4>>

  @Test(arguments: Seed.seeds(count: 6))
  func `a chunked array behaves like an array, and its copies are independent`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var pairs = [(chunked: Chunked(), plain: [Int32]())]
    for step in 0..<Seed.operations(default: 1_500) {
      let place = random.number(in: 0...(pairs.count - 1))
      switch random.number(in: 0...19) {
      case 0 where pairs.count < 6: pairs.append(pairs[place])
      case 1 where pairs.count > 1: pairs.remove(at: place)
      default:
        var pair = pairs.remove(at: place)
        Self.change(&pair.chunked, &pair.plain, Int32(step), &random)
        pairs.append(pair)
      }
      for (chunked, plain) in pairs {
        #expect(chunked.indices.map { chunked[$0] } == plain, "SEED=\(seed) step \(step)")
      }
    }
  }

  /// Applies one random change to both.
  private static func change(
    _ chunked: inout Chunked,
    _ plain: inout [Int32],
    _ value: Int32,
    _ random: inout SeededGenerator
  ) {
    switch random.number(in: 0...9) {
    case 0...3:
      chunked.append(value)
      plain.append(value)
    case 4:
      let times = random.choice([0, 1, 15, 16, 17, 40])
      chunked.append(value, times: times)
      plain.append(contentsOf: repeatElement(value, count: times))
    case 5:
      let last = chunked.popLast()
      #expect(last == plain.popLast())
    case 6, 7:
      guard let place = plain.indices.randomElement(using: &random) else { return }
      chunked[place] += value
      plain[place] += value
    case 8:
      let run = run(of: plain.count, &random)
      var span = chunked.mutableSpan(run)
      for offset in span.indices { span[offset] = value + Int32(offset) }
      for (offset, place) in run.enumerated() { plain[place] = value + Int32(offset) }
    default:
      copy(&chunked, &plain, &random)
    }
  }

  private static func copy(
    _ chunked: inout Chunked,
    _ plain: inout [Int32],
    _ random: inout SeededGenerator
  ) {
    let (source, target) = (run(of: plain.count, &random), run(of: plain.count, &random))
    let count = min(source.count, target.count)
    chunked.copy(source.prefix(count), to: target.lowerBound)
    let copied = Array(plain[source.prefix(count)])
    for offset in 0..<count { plain[target.lowerBound + offset] = copied[offset] }
  }

  /// Returns a random range within one chunk.
  private static func run(of count: Int, _ random: inout SeededGenerator) -> Range<Int> {
    guard count > 0 else { return 0..<0 }
    let first = random.number(in: 0...(count - 1))
    let end = min(count, (first / Chunked.chunkCapacity + 1) * Chunked.chunkCapacity)
    return first..<random.number(in: first...end)
  }

  @Test func `a run within one chunk is available as a span`() {
    var chunked = Chunked()
    for number in 0..<100 { chunked.append(Int32(number)) }
    let span = chunked.span(32..<48)
    let none = chunked.span(40..<40)
    let (count, first, last, rest) = (span.count, span[0], span[15], none.count)
    #expect(count == 16 && first == 32 && last == 47 && rest == 0)
  }

  @Test func `a chunk has at most 64 KiB and 4096 elements`() {
    #expect(ChunkedArray<Int32, Fanout<64>>.chunkCapacity == 4_096)
    #expect(ChunkedArray<Int64, Fanout<64>>.chunkCapacity == 4_096)
    #expect(ChunkedArray<NodeRecord, Fanout<64>>.chunkCapacity == 2_048)
    #expect(Chunked.chunkCapacity == 16)
  }
}
