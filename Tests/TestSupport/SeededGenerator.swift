/// A deterministic random number generator (SplitMix64).
///
/// A seed gives the same sequence on every machine, so that a failure with its seed can be
/// repeated.
package struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  /// Creates the generator of a seed.
  package init(seed: UInt64) {
    state = seed
  }

  /// Returns the next 64 uniformly distributed bits.
  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// Returns true with probability 1/`denominator`, which must be positive.
  package mutating func oneIn(_ denominator: Int) -> Bool {
    Int.random(in: 0..<denominator, using: &self) == 0
  }

  /// Returns a uniformly distributed number in a range.
  package mutating func number(in range: ClosedRange<Int>) -> Int {
    Int.random(in: range, using: &self)
  }

  /// Returns a random element; nil if there is none.
  package mutating func element<Elements: Collection>(of elements: Elements) -> Elements.Element? {
    elements.randomElement(using: &self)
  }

  /// Returns a random element of a list that must not be empty.
  package mutating func choice<Element>(_ elements: [Element]) -> Element {
    elements[Int.random(in: 0..<elements.count, using: &self)]
  }
}
