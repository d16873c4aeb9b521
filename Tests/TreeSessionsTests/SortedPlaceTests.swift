import TestSupport
import Testing
import TreeDomain
import TreeSessions

/// Checks that a sorted place is before the first greater sibling, even among unsorted siblings.
struct SortedPlaceTests {
  private static let sort = #"[{"by":"","compare":"number"}]"#

  /// Returns the place by its definition, on plain numbers.
  private func place(_ value: Int, in list: [Int]) -> Int {
    list.firstIndex { $0 > value } ?? list.count
  }

  @Test(arguments: Seed.seeds(count: 12))
  func `a sorted insertion finds the place of the definition`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let session = try StoreUnderTest()
    var values: [Int] = []
    var keys: [String] = []
    for step in 0..<Seed.operations(default: 150) {
      let value = random.number(in: 0...30)
      let key = "k\(step)"
      // An insertion by index sometimes breaks the order.
      let index = random.oneIn(12) ? random.number(in: 0...keys.count) : nil
      let where_ = index.map { #""index":\#($0)"# } ?? #""sort":\#(Self.sort)"#
      try session.apply(#"{"op":"insert","key":"\#(key)","object":\#(value),\#(where_)}"#)
      let place = index ?? place(value, in: values)
      values.insert(value, at: place)
      keys.insert(key, at: place)
      if random.oneIn(15), let victim = keys.indices.randomElement(using: &random) {
        let changed = random.number(in: 0...30)
        try session.apply(#"{"op":"update","key":"\#(keys[victim])","object":\#(changed)}"#)
        values[victim] = changed
      }
      if random.oneIn(20), let victim = keys.indices.randomElement(using: &random) {
        try session.apply(#"{"op":"remove","key":"\#(keys[victim])"}"#)
        keys.remove(at: victim)
        values.remove(at: victim)
      }
      if random.oneIn(10), let mover = keys.indices.randomElement(using: &random) {
        let key = keys.remove(at: mover)
        let value = values.remove(at: mover)
        try session.apply(#"{"op":"move","key":"\#(key)","sort":\#(Self.sort)}"#)
        let place = self.place(value, in: values)
        keys.insert(key, at: place)
        values.insert(value, at: place)
      }
      if random.oneIn(10) {
        let refused = refusal { () throws(ServiceError) in
          try session.apply(
            #"{"op":"insert","key":"late","object":0,"sort":\#(Self.sort)}"#,
            #"{"op":"remove","key":"nobody"}"#
          )
        }
        #expect(refused?.code == .nodeNotFound)
      }
      #expect(try session.keys() == keys, "SEED=\(seed) step \(step)")
    }
  }

  @Test func `a session that is given its present sort is sorted again`() throws {
    let session = try StoreUnderTest(
      ##"{"sort":[{"by":"#key"}],"nodes":[{"key":"a"},{"key":"b"}]}"##
    )
    try session.apply(#"{"op":"insert","key":"c","first":true}"#)
    #expect(try session.keys() == ["c", "a", "b"])
    let patch = try SessionPatch.decode(body: Array(##"{"sort":[{"by":"#key"}]}"##.utf8))
    let answer = try session.store.patchSession(session.id, patch, BatchOptions())
    #expect(answer.list.changes.count == 1)
    #expect(try session.keys() == ["a", "b", "c"])
  }

  @Test func `the sort of a tree holds at each level, and equal values keep their order`() throws {
    let session = try StoreUnderTest(
      """
      {"sort":[{"by":"/n"}],"nodes":[{"key":"b","object":{"n":2},"children":[
        {"key":"b2","object":{"n":9}},{"key":"b1","object":{"n":1}},{"key":"b3","object":{"n":9}}]},
        {"key":"a","object":{"n":1}}]}
      """
    )
    #expect(try session.keys() == ["a", "b", "b1", "b2", "b3"])
    try session.apply(#"{"op":"update","key":"b1","object":{"n":9}}"#)
    #expect(try session.keys() == ["a", "b", "b2", "b3", "b1"])
    let answer = try session.apply(#"{"op":"update","key":"a","merge":{"n":3}}"#)
    #expect(try session.keys() == ["b", "b2", "b3", "b1", "a"])
    #expect(answer.changes.count == 2, "a move and an update: \(StoreUnderTest.json(answer))")
  }

  /// Moved nodes that have no place yet do not count as siblings.
  @Test(arguments: [
    ("c,x", ["b", "a", "c", "x"]), ("x,c", ["b", "a", "c", "x"]), ("c,b", ["b", "c", "x", "a"]),
    ("b,c,a", ["a", "b", "c", "x"]), ("a,x,c,b", ["a", "b", "c", "x"]),
    ("a1,x", ["a1", "b", "c", "a", "x"]),
  ])
  func `several nodes are sorted among those that stay`(keys: String, expected: [String]) throws {
    let session = try StoreUnderTest(
      """
      {"expansion":"none","nodes":[{"key":"x"},{"key":"b"},{"key":"c"},\
      {"key":"a","children":[{"key":"a1"}]}]}
      """
    )
    let list = keys.split(separator: ",").map { #""\#($0)""# }.joined(separator: ",")
    try session.apply(##"{"op":"move","keys":[\##(list)],"sort":[{"by":"#key"}]}"##)
    #expect(try session.keys() == expected)
  }

  @Test func `a place by another order is not used as one by the order of the tree`() throws {
    let session = try StoreUnderTest(
      ##"""
      {"sort":[{"by":"#key"}],"nodes":[{"key":"a","object":3},{"key":"b","object":1},\##
      {"key":"c","object":2}]}
      """##
    )
    try session.apply(#"{"op":"insert","key":"d"}"#)
    try session.apply(##"{"op":"insert","key":"e","object":0,"sort":\##(Self.sort)}"##)
    try session.apply(#"{"op":"insert","key":"aa"}"#)
    #expect(try session.keys() == ["aa", "e", "a", "b", "c", "d"])
  }

  @Test func `a change of a value that only another order reads is seen`() throws {
    let session = try StoreUnderTest(
      ##"{"sort":[{"by":"#key"}],"nodes":[{"key":"a","object":1},{"key":"c","object":5}]}"##
    )
    let insert = { (key: String, value: Int) throws(ServiceError) in
      let node = #"{"op":"insert","key":"\#(key)","object":\#(value),"sort":\#(Self.sort)}"#
      try session.apply(node)
    }
    try insert("d", 6)
    try session.apply(#"{"op":"update","key":"a","object":9}"#)
    try insert("e", 7)
    #expect(try session.keys() == ["e", "a", "c", "d"])
  }
}
