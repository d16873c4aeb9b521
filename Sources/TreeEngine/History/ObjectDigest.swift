/// Stands for the bytes of an object that is kept no longer.
///
/// The bytes are the coefficients of a polynomial, which is evaluated at two secret points in the
/// field of 2⁶¹ - 1 elements. Two objects of *m* bytes differ as polynomials of a degree of *m*/7,
/// which agree at no more points than that: those of a mebibyte have equal digests with a
/// probability of 2⁻⁸⁷. The points are random for each tree and kept with it, so that nobody
/// outside can choose objects that agree.
///
/// Source: Dietzfelbinger, Gil, Matias and Pippenger, *Polynomial Hash Functions Are Reliable*,
/// ICALP 1992.
struct ObjectDigest: Equatable, Sendable {
  /// The points.
  struct Seed: Equatable, Sendable {
    let first: UInt64
    let second: UInt64

    /// Points that nobody knows.
    init() {
      first = .random(in: 1..<prime)
      second = .random(in: 1..<prime)
    }

    /// Points that were stored; nil for some that cannot have been.
    init?(first: UInt64, second: UInt64) {
      guard (1..<prime).contains(first), (1..<prime).contains(second) else { return nil }
      (self.first, self.second) = (first, second)
    }
  }

  let first: UInt64
  let second: UInt64

  /// - Complexity: O(bytes).
  init(_ bytes: ArraySlice<UInt8>, _ seed: Seed) {
    // With the length as the leading coefficient, no object's polynomial is another's with zeros.
    var first = UInt64(bytes.count)
    var second = first
    var start = bytes.startIndex
    repeat {
      let end = min(start + bytesPerCoefficient, bytes.endIndex)
      let coefficient = bytes[start..<end].reduce(0) { $0 << 8 | UInt64($1) }
      first = modulo(first, times: seed.first, plus: coefficient)
      second = modulo(second, times: seed.second, plus: coefficient)
      start = end
    } while start < bytes.endIndex
    (self.first, self.second) = (first, second)
  }

  /// One that was stored.
  init(first: UInt64, second: UInt64) { (self.first, self.second) = (first, second) }
}

/// 2⁶¹ - 1.
private let prime: UInt64 = 1 << 61 - 1

/// So many are below ``prime`` whatever they are.
private let bytesPerCoefficient = 7

/// The value times the factor plus the summand in the field, all of them below ``prime``.
private func modulo(_ value: UInt64, times factor: UInt64, plus summand: UInt64) -> UInt64 {
  let (high, low) = value.multipliedFullWidth(by: factor)
  // 2⁶¹ is 1 there, so what stands above it is added to what stands below.
  let sum = (low & prime) + (low >> 61 | high << 3) + summand
  let folded = (sum & prime) + sum >> 61
  return folded >= prime ? folded - prime : folded
}
