/// A stack of the open arrays and objects, one bit each.
///
/// The innermost 64 are in one word, so that ordinary documents need no allocation.
struct ContainerStack {
  /// The number of open arrays and objects.
  private(set) var depth = 0
  /// The kinds of up to 64 open containers; bit 0 is the innermost one, and 1 means an object.
  private var innermost: UInt64 = 0
  private var outer: [UInt64] = []

  /// True if the innermost open container is an object.
  ///
  /// False if none is open.
  var isInObject: Bool { innermost & 1 == 1 }

  @inline(__always)
  mutating func push(isObject: Bool) {
    if depth & 63 == 0, depth > 0 { ContainerStack.append(innermost, to: &outer) }
    innermost = innermost &<< 1 | (isObject ? 1 : 0)
    depth &+= 1
  }

  @inline(__always)
  mutating func pop() {
    depth &-= 1
    innermost &>>= 1
    if depth & 63 == 0, depth > 0 { innermost = ContainerStack.popLast(of: &outer) }
  }

  // Not inlined, so that the common path stays small.
  @inline(never)
  private static func append(_ word: UInt64, to outer: inout [UInt64]) { outer.append(word) }

  @inline(never)
  private static func popLast(of outer: inout [UInt64]) -> UInt64 { outer.removeLast() }
}
