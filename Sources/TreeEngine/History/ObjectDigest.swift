/// A digest of an object whose bytes are no longer kept.
///
/// The bytes are the coefficients of a polynomial, evaluated at two secret points of the field with
/// 2⁶¹ - 1 elements. Two objects of *m* bytes are polynomials of degree *m*/7 and agree in at most
/// that many points. So two objects of 1 MiB have equal digests with a probability of 2⁻⁸⁷. The
/// points are random for each tree and stored with it, so clients cannot choose objects with equal
/// digests.
///
/// Source: Dietzfelbinger, Gil, Matias and Pippenger, *Polynomial Hash Functions Are Reliable*,
/// ICALP 1992.
struct ObjectDigest: Equatable, Sendable {
  /// The two secret points.
  struct Seed: Equatable, Sendable {
    let first: UInt64
    let second: UInt64

    /// Creates random points.
    init() {
      first = .random(in: 1..<prime)
      second = .random(in: 1..<prime)
    }

    /// Creates points from stored values, or nil if they are out of range.
    init?(first: UInt64, second: UInt64) {
      guard (1..<prime).contains(first), (1..<prime).contains(second) else { return nil }
      (self.first, self.second) = (first, second)
    }
  }

  let first: UInt64
  let second: UInt64

  /// Computes the digest of an object.
  ///
  /// - Complexity: O(bytes).
  init(_ bytes: ArraySlice<UInt8>, _ seed: Seed) {
    // The length is the leading coefficient, so that added zero bytes change the digest.
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

  /// Creates a digest from stored values.
  init(first: UInt64, second: UInt64) { (self.first, self.second) = (first, second) }
}

/// 2⁶¹ - 1.
private let prime: UInt64 = 1 << 61 - 1

/// The number of bytes whose value is always below ``prime``.
private let bytesPerCoefficient = 7

/// Returns value × factor + summand in the field.
///
/// - Precondition: All are below ``prime``.
private func modulo(_ value: UInt64, times factor: UInt64, plus summand: UInt64) -> UInt64 {
  let (high, low) = value.multipliedFullWidth(by: factor)
  // 2⁶¹ equals 1 in the field, so the upper bits are added to the lower ones.
  let sum = (low & prime) + (low >> 61 | high << 3) + summand
  let folded = (sum & prime) + sum >> 61
  return folded >= prime ? folded - prime : folded
}
