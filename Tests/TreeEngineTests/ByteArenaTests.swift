import TestSupport
import Testing

@testable import TreeEngine

struct ByteArenaTests {
  @Test(arguments: Seed.seeds(count: 5))
  func `a compaction keeps every slice and no garbage`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var arena = ByteArena(chunkBytes: 256)
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
      #expect(arena.count == strings.reduce(0) { $0 + $1.count } && arena.garbage == 0)
    }
  }

  @Test func `a rewind removes what was appended since the mark`() {
    var arena = ByteArena()
    let first = arena.append([1, 2, 3].span)
    arena.discard(arena.append([4].span))
    let mark = arena.mark
    let chunks = arena.chunks
    arena.discard(arena.append([5, 6].span))
    _ = arena.append([7].span)
    arena.rewind(to: mark)
    #expect(arena.chunks == chunks && arena.count == 4 && arena.garbage == 1)
    #expect(Array(arena.span(first)) == [1, 2, 3])
  }

  @Test(arguments: Seed.seeds(count: 5))
  func `a rewind works across chunks with strings of all lengths, and copies keep theirs`(
    seed: UInt64
  ) {
    var random = SeededGenerator(seed: seed)
    var arena = ByteArena(chunkBytes: 64)
    var held: [(slice: ByteArena.Slice, string: [UInt8])] = []
    var copies: [(ByteArena, [(slice: ByteArena.Slice, string: [UInt8])])] = []
    for round in 0..<60 {
      let (mark, before) = (arena.mark, held.count)
      for _ in 0..<random.number(in: 0...12) {
        let length = random.choice([0, 1, 7, 8, 9, 60, 64, 65, 200])
        let string = (0..<length).map { _ in UInt8(random.number(in: 0...255)) }
        held.append((arena.append(string.span), string))
      }
      if random.oneIn(3) {
        arena.rewind(to: mark)
        held.removeLast(held.count - before)
      }
      if random.oneIn(10) { copies.append((arena, held)) }
      for (arena, held) in copies + [(arena, held)] {
        let isSame = held.allSatisfy { arena.elements(of: $0.slice) == $0.string }
        let total = held.reduce(0) { $0 + $1.string.count }
        #expect(isSame && arena.count == total, "SEED=\(seed) round \(round)")
      }
    }
  }

  @Test func `a chunk is filled up to its size, and a long string has its own`() {
    var arena = ByteArena(chunkBytes: 64)
    for length in [8, 8, 100, 8, 8, 8, 8, 8, 8, 8, 20] {
      _ = arena.append([UInt8](repeating: 1, count: length).span)
    }
    #expect(arena.chunks.map(\.count) == [64, 100, 8, 20])
  }
}
