/// A name or word of up to fifteen bytes, followed by a quote, packed into two words.
///
/// A `switch` over it with string literals as patterns compares two constants for each case.
public struct PackedName: Equatable, Sendable {
  /// The first eight bytes, the first one lowest, with zeros behind the quote.
  @usableFromInline let low: UInt64
  /// The next eight bytes.
  @usableFromInline let high: UInt64

  @inlinable
  @inline(__always)
  init(low: UInt64, high: UInt64) {
    self.low = low
    self.high = high
  }

  /// Packs a name of up to fifteen bytes without quotes in it, and appends a quote.
  @inlinable
  @inline(__always)
  public init(_ name: StaticString) {
    self.init(name, before: UInt64(Ascii.quote))
  }

  /// Packs up to sixteen bytes, followed by the bytes of `rest` as far as there is room.
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

  /// Returns true if a name equals a literal.
  @inlinable
  @inline(__always)
  public static func ~= (pattern: StaticString, name: PackedName) -> Bool {
    let packed = PackedName(pattern)
    // If the quote is among the first eight bytes, nothing follows.
    return name.low == packed.low && (packed.high == 0 || name.high == packed.high)
  }
}
