/// Formats times for logs.
enum Timestamp {
  /// Returns a time in UTC with milliseconds, such as `1994-11-06T08:49:37.000Z` (RFC 3339, 5.6).
  static func rfc3339(unixMilliseconds: Int) -> [UInt8] {
    let (seconds, milliseconds) = unixMilliseconds.quotientAndRemainder(dividingBy: 1_000)
    let (days, second) = seconds.quotientAndRemainder(dividingBy: 86_400)
    let date = DateStamp.civilDate(daysSince1970: days)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(24)
    func append(_ number: Int, _ digits: Int, _ end: Unicode.Scalar) {
      bytes.append(decimal: number, digits: digits)
      bytes.append(UInt8(ascii: end))
    }
    append(date.year, 4, "-")
    append(date.month, 2, "-")
    append(date.day, 2, "T")
    append(second / 3_600, 2, ":")
    append(second / 60 % 60, 2, ":")
    append(second % 60, 2, ".")
    append(milliseconds, 3, "Z")
    return bytes
  }
}
