import TestSupport
import Testing

@testable import TreeEngine

struct ByteArenaTests {
  @Test(arguments: Seed.seeds(count: 5))
  func `compaction keeps every slice and nothing else`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var arena = ByteArena()
    var strings: [[UInt8]] = []
    var slices: [ByteArena.Slice] = []
    for round in 0..<6 {
      for _ in 0..<50 {
        let string = (0..<random.number(in: 0...40)).map { _ in UInt8(random.number(in: 0...255)) }
        strings.append(string)
        slices.append(arena.append(string.span))
      }
      for place in slices.indices where random.oneIn(3) {
        arena.discard(slices[place])
        slices[place] = .empty
        strings[place] = []
      }
      #expect(slices.map { Array(arena.span($0)) } == strings, "SEED=\(seed) round \(round)")
      var kept = arena.makeSuccessor()
      slices = slices.map { kept.append($0, of: arena) }
      arena = kept
      #expect(slices.map { Array(arena.span($0)) } == strings, "SEED=\(seed) round \(round)")
      #expect(arena.bytes.count == strings.reduce(0) { $0 + $1.count } && arena.garbage == 0)
    }
  }

  @Test func `what was appended since is taken back`() {
    var arena = ByteArena()
    let first = arena.append([1, 2, 3].span)
    arena.discard(arena.append([4].span))
    let mark = arena.mark
    let bytes = arena.bytes
    arena.discard(arena.append([5, 6].span))
    _ = arena.append([7].span)
    arena.rewind(to: mark)
    #expect(arena.bytes == bytes && arena.garbage == 1)
    #expect(Array(arena.span(first)) == [1, 2, 3])
  }
}
