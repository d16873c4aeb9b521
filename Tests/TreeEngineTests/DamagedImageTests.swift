import TestSupport
import Testing

@testable import TreeEngine

/// Tests that damaged images are refused or give a sound tree, and never trap.
struct DamagedImageTests {
  private func sample(seed: UInt64) -> [UInt8] {
    let rules: [ExpansionRule] = [.all, .none, .levels(2)]
    let limits = HistoryLimits(commits: 12)
    var history = HistoryPair<Fanout<4>>(rules: rules, limits: limits, isLayered: true)
    var random = SeededGenerator(seed: seed)
    for _ in 0..<30 { history.randomTransaction(&random) }
    return history.pair.tree.imageBytes(inPiecesFrom: &random)
  }

  /// Returns true if the bytes are an image. Checks the invariants of its tree.
  private func isImage(_ bytes: ArraySlice<UInt8>) -> Bool {
    var reader = TreeImageReader<Fanout<4>>(history: HistoryLimits(commits: 12))
    do throws(ImageError) {
      try reader.feed(bytes)
      let tree = try reader.finish()
      tree.checkInvariants()
      return true
    } catch {
      return false
    }
  }

  @Test(arguments: Seed.seeds(count: 2))
  func `a truncated or extended image is refused`(seed: UInt64) {
    let bytes = sample(seed: seed)
    #expect(isImage(bytes[...]))
    for count in bytes.indices { #expect(!isImage(bytes.prefix(count)), "SEED=\(seed) \(count)") }
    #expect(!isImage(bytes + [0, 0, 0, 0, 1]), "SEED=\(seed)")
  }

  @Test(arguments: Seed.seeds(count: 3))
  func `an image with changed bytes is refused or gives a sound tree`(seed: UInt64) {
    let bytes = sample(seed: seed)
    var random = SeededGenerator(seed: seed)
    var refused = 0
    let count = Seed.operations(default: 700)
    for _ in 0..<count {
      var changed = bytes
      for _ in 0..<random.choice([1, 1, 1, 2, 5]) {
        let place = random.number(in: 0...(bytes.count - 1))
        changed[place] = random.oneIn(2) ? .random(in: 0...255, using: &random) : 0xFF
      }
      if !isImage(changed[...]) { refused += 1 }
    }
    #expect(refused > count / 2, "SEED=\(seed)")
  }

  @Test func `another format and another version are named in the error`() {
    var bytes = sample(seed: 1)
    bytes[8] = 1
    expect(bytes, .unknownVersion(1))
    bytes[0] = 0
    expect(bytes, .foreign)
  }

  private func expect(_ bytes: [UInt8], _ expected: ImageError) {
    var reader = TreeImageReader<Fanout<4>>()
    do throws(ImageError) {
      try reader.feed(bytes[...])
      Issue.record("it was read")
    } catch {
      #expect(error == expected)
    }
  }
}
