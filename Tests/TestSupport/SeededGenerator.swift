/// A random number generator whose whole future follows from one seed (SplitMix64).
///
/// The same seed gives the same sequence on every machine, so a failure that names its seed can be
/// run again.
package struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  /// Starts the sequence of a seed.
  package init(seed: UInt64) {
    state = seed
  }

  /// The next 64 uniformly distributed bits.
  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// True once in `denominator` times; `denominator` must be positive.
  package mutating func oneIn(_ denominator: Int) -> Bool {
    Int.random(in: 0..<denominator, using: &self) == 0
  }

  /// A uniformly chosen number of the range.
  package mutating func number(in range: ClosedRange<Int>) -> Int {
    Int.random(in: range, using: &self)
  }

  /// A uniformly chosen element; `nil` when there is none.
  package mutating func element<Elements: Collection>(of elements: Elements) -> Elements.Element? {
    elements.randomElement(using: &self)
  }

  /// A uniformly chosen element of a list that must not be empty.
  package mutating func choice<Element>(_ elements: [Element]) -> Element {
    elements[Int.random(in: 0..<elements.count, using: &self)]
  }
}
