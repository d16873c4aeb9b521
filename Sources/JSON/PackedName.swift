/// A name or a word of up to fifteen bytes, and the quote behind it, in two words.
///
/// A `switch` over one with string literals for patterns compares two constants for each.
public struct PackedName: Equatable, Sendable {
  /// The first eight bytes, the very first one lowest, and zeros behind the quote.
  @usableFromInline let low: UInt64
  /// The eight bytes behind them.
  @usableFromInline let high: UInt64

  @inlinable
  @inline(__always)
  init(low: UInt64, high: UInt64) {
    self.low = low
    self.high = high
  }

  /// Packs a name of up to fifteen bytes, neither of which is a quote.
  @inlinable
  @inline(__always)
  public init(_ name: StaticString) {
    self.init(name, before: UInt64(Ascii.quote))
  }

  /// Packs up to sixteen bytes, and others behind them as far as there is room.
  @inlinable
  @inline(__always)
  init(_ name: StaticString, before rest: UInt64) {
    var low = rest
    var high: UInt64 = 0
    var i = name.utf8CodeUnitCount
    while i > 0 {
      i &-= 1
      high = high &<< 8 | low &>> 56
      low = low &<< 8 | UInt64(unsafe name.utf8Start[i])
    }
    self.init(low: low, high: high)
  }

  /// Whether a name is the given one.
  @inlinable
  @inline(__always)
  public static func ~= (pattern: StaticString, name: PackedName) -> Bool {
    let packed = PackedName(pattern)
    // A quote among the first eight bytes says that nothing follows.
    return name.low == packed.low && (packed.high == 0 || name.high == packed.high)
  }
}
