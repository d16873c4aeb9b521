import TestSupport
import Testing
import TreeDomain

@testable import TreeSessions

/// Compares a long batch, for which the keys are looked up ahead, with its single operations.
struct LongBatchTests {
  /// Random operations that are valid in their sequence.
  /// They use few keys, so that nodes are inserted and removed within a batch.
  private struct Load {
    var random: SeededGenerator
    /// The parent of each existing node.
    private var parents: [String: String?] = [:]
    private let keys = (0..<24).map { "k\($0)" }

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    private func isBelow(_ key: String, _ ancestor: String) -> Bool {
      var next: String? = key
      while let current = next {
        if current == ancestor { return true }
        next = parents[current] ?? nil
      }
      return false
    }

    private mutating func parent(notBelow key: String) -> String? {
      let all = parents.keys.sorted().filter { !isBelow($0, key) }
      return all.isEmpty || random.number(in: 0...5) == 0 ? nil : random.choice(all)
    }

    mutating func operation() -> String {
      let key = random.choice(keys)
      let number = random.number(in: 0...99)
      guard parents[key] != nil else {
        let parent = parent(notBelow: key)
        parents[key] = .some(parent)
        return #"{"op":"insert","key":"\#(key)","parent":\#(json(parent)),"object":\#(number)}"#
      }
      switch random.number(in: 0...3) {
      case 0:
        for gone in parents.keys.filter({ isBelow($0, key) }) { parents[gone] = nil }
        return #"{"op":"remove","key":"\#(key)"}"#
      case 1:
        let parent = parent(notBelow: key)
        parents[key] = .some(parent)
        return #"{"op":"move","key":"\#(key)","parent":\#(json(parent)),"first":true}"#
      case 2: return #"{"op":"collapse","key":"\#(key)"}"#
      default: return #"{"op":"update","key":"\#(key)","object":\#(number)}"#
      }
    }

    private func json(_ key: String?) -> String { key.map { "\"\($0)\"" } ?? "null" }
  }

  @Test(arguments: Seed.seeds(count: 20))
  func `a long batch equals its operations one by one`(seed: UInt64) throws {
    var load = Load(seed: seed)
    let (together, apart) = (try StoreUnderTest(), try StoreUnderTest())
    for _ in 0..<4 {
      let operations = (0..<load.random.number(in: 10...700)).map { _ in load.operation() }
      let list = operations.joined(separator: ",")
      try together.apply(Array(#"{"operations":[\#(list)]}"#.utf8))
      for operation in operations { try apart.apply(operation) }
      #expect(try together.rows() == apart.rows(), "SEED=\(seed)")
    }
  }

  @Test func `a long batch reports keys that are missing or taken`() throws {
    let session = try StoreUnderTest(#"{"nodes":[{"key":"a"}]}"#)
    let before = try session.rows()
    let inserts = (0..<40).map { #"{"op":"insert","key":"b\#($0)","parent":"a"}"# }
    let ends = [
      (#"{"op":"update","key":"c","object":1}"#, ServiceErrorCode.nodeNotFound),
      (#"{"op":"insert","key":"c","parent":"d"}"#, .parentNotFound),
      (#"{"op":"insert","key":"b7","parent":"a"}"#, .duplicateKey),
      (#"{"op":"remove","key":"a"},{"op":"insert","key":"c","parent":"a"}"#, .parentNotFound),
    ]
    for (end, code) in ends {
      let list = (inserts + [end]).joined(separator: ",")
      let refusal = refusal { () throws(ServiceError) in try session.apply(list) }
      #expect(refusal?.code == code)
      #expect(try session.rows() == before)
    }
  }
}
