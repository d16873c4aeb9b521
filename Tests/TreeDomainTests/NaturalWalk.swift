/// The natural order of strings, computed by a walk through both. Sort keys must agree with it.
enum NaturalWalk {
  /// Returns -1, 0 or 1.
  static func compare(_ left: [UInt8], _ right: [UInt8]) -> Int {
    var (i, j) = (0, 0)
    while i < left.count, j < right.count {
      let (a, b) = (run(left, from: i), run(right, from: j))
      if a.isEmpty || b.isEmpty {
        if left[i] != right[j] { return left[i] < right[j] ? -1 : 1 }
        (i, j) = (i + 1, j + 1)
        continue
      }
      let (x, y) = (Array(a.drop { $0 == 0x30 }), Array(b.drop { $0 == 0x30 }))
      if x.count != y.count { return x.count < y.count ? -1 : 1 }
      if x != y { return x.lexicographicallyPrecedes(y) ? -1 : 1 }
      (i, j) = (i + a.count, j + b.count)
    }
    return ((left.count - i) - (right.count - j)).signum()
  }

  private static func run(_ text: [UInt8], from start: Int) -> ArraySlice<UInt8> {
    text[start...].prefix { 0x30...0x39 ~= $0 }
  }
}
