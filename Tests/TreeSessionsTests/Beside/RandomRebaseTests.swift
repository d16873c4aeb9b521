import TestSupport
import Testing

private typealias LongChanges = `A long change beside small ones`

extension `A long change beside small ones` {
  /// Makes operations on the tree of this suite, whose nodes have known keys.
  private struct RandomChanges {
    var random: SeededGenerator
    private var made = 0
    /// The keys that an operation has removed or moved, so that none names them again.
    private var gone: Set<String> = []

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    private mutating func folder() -> String { ["a", "b", "c"][random.number(in: 0...2)] }

    /// Returns the key of a leaf that is where the tree had it first.
    private mutating func leaf() -> String {
      while true {
        let number = random.number(in: 0...19)
        let key = random.oneIn(2) ? "n\(number * 19)" : "\(folder())\(number)"
        if !gone.contains(key) { return key }
      }
    }

    private mutating func goneLeaf() -> String {
      let key = leaf()
      gone.insert(key)
      return key
    }

    private mutating func place() -> String {
      let index = random.oneIn(2) ? #","index":\#(random.number(in: 0...20))"# : ""
      return random.oneIn(3) ? index : #","parent":"\#(folder())"\#(index)"#
    }

    /// Returns a small change.
    mutating func small() -> String {
      made += 1
      switch random.number(in: 0...7) {
      case 0, 1: return #"{"op":"update","key":"\#(leaf())","object":{"v":\#(made)}}"#
      case 2: return #"{"op":"insert","key":"w\#(made)","object":{"v":3}\#(place())}"#
      case 3:
        return #"{"op":"insert","key":"w\#(made)","children":[{"key":"x\#(made)"}]\#(place())}"#
      case 4: return #"{"op":"remove","key":"\#(goneLeaf())"}"#
      case 5: return #"{"op":"move","keys":["\#(goneLeaf())"]\#(place())}"#
      case 6: return #"{"op":"toggle","key":"c"}"#
      default: return #"{"op":"sort","key":"c","by":[{"by":"/v"}]}"#
      }
    }

    /// Returns the options of a few sessions, of which the first one makes long changes.
    mutating func views() -> [String] {
      let views = LongChanges.views
      var options = (0..<random.number(in: 0...1)).map { _ in
        views[random.number(in: 0...views.count - 1)]
      }
      let own = random.oneIn(2) ? "," + views[random.number(in: 0...views.count - 1)] : ""
      options.insert(#""selection":"multiple"\#(own)"#, at: 0)
      return options
    }

    /// Returns operations that take long together.
    mutating func long() -> String {
      // The others are too small to take long.
      let folder = random.oneIn(2) ? "a" : "b"
      let operations = [
        #"{"op":"remove","key":"\#(folder)"}"#, #"{"op":"select","subtree":"\#(folder)"}"#,
        #"{"op":"sort","key":"\#(folder)","by":[{"by":"/v","direction":"descending"}]}"#,
        #"{"op":"collapse","key":"a"},{"op":"collapse","key":"b"}"#,
        #"{"op":"move","keys":["\#(folder)"],"parent":"n599"}"#,
        #"{"op":"insert","key":"long","parent":"\#(folder)","index":2},"#
          + #"{"op":"select","subtree":"\#(folder)"}"#,
        #"{"op":"setChildren","key":"\#(folder)","children":[{"key":"\#(folder)5"},{"key":"y"}]}"#,
      ]
      return operations[random.number(in: 0...operations.count - 1)]
    }
  }

  @Test(arguments: Seed.seeds(count: 8))
  func `comes after random changes as if it had been made after them`(seed: UInt64) throws {
    var changes = RandomChanges(seed: seed)
    var rebases = 0
    for _ in 0..<Seed.operations(default: 6) {
      let operation = changes.long()
      let writes = (0..<changes.random.number(in: 1...4)).map { _ in changes.small() }
      let views = changes.views()
      let (test, twin) = (
        try Self(as: views[0], viewing: Array(views.dropFirst())),
        try Self(as: views[0], viewing: Array(views.dropFirst()))
      )
      let isRebased = try test.make(operation, beside: writes, like: twin)
      if isRebased { rebases += 1 }
      changes = RandomChanges(seed: changes.random.next())
    }
    print("SEED=\(seed): \(rebases) came after others without starting over")
    #expect(rebases > 0 || Seed.operations(default: 0) > 0, "SEED=\(seed)")
  }
}
