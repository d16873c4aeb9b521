/// Moments as logs write them.
enum Timestamp {
  /// A time in UTC with milliseconds, such as `1994-11-06T08:49:37.000Z` (RFC 3339, 5.6).
  static func rfc3339(unixMilliseconds: Int) -> [UInt8] {
    let (seconds, milliseconds) = unixMilliseconds.quotientAndRemainder(dividingBy: 1_000)
    let (days, second) = seconds.quotientAndRemainder(dividingBy: 86_400)
    let date = DateStamp.civilDate(daysSince1970: days)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(24)
    append(date.year, 4, "-", to: &bytes)
    append(date.month, 2, "-", to: &bytes)
    append(date.day, 2, "T", to: &bytes)
    append(second / 3_600, 2, ":", to: &bytes)
    append(second / 60 % 60, 2, ":", to: &bytes)
    append(second % 60, 2, ".", to: &bytes)
    append(milliseconds, 3, "Z", to: &bytes)
    return bytes
  }

  /// Appends a number of so many digits, and what stands behind it.
  private static func append(
    _ number: Int,
    _ digits: Int,
    _ end: Unicode.Scalar,
    to bytes: inout [UInt8]
  ) {
    var unit = 1
    for _ in 1..<digits { unit *= 10 }
    while unit > 0 {
      bytes.append(UInt8(ascii: "0") + UInt8(number / unit % 10))
      unit /= 10
    }
    bytes.append(UInt8(ascii: end))
  }
}
