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
      arena.compact(&slices)
      #expect(slices.map { Array(arena.span($0)) } == strings, "SEED=\(seed) round \(round)")
      #expect(arena.bytes.count == strings.reduce(0) { $0 + $1.count } && arena.garbage == 0)
    }
  }

  @Test func `compaction is wanted once most of much is garbage`() {
    var arena = ByteArena()
    let string = [UInt8](repeating: 7, count: 40_000)
    let slices = (0..<4).map { _ in arena.append(string.span) }
    arena.discard(slices[0])
    #expect(!arena.wantsCompaction, "40 000 bytes are too few")
    arena.discard(slices[1])
    #expect(!arena.wantsCompaction, "half is not most")
    arena.discard(slices[2])
    #expect(arena.wantsCompaction)
  }
}
