/// A second of wall-clock time, formatted for the `Date` field (IMF-fixdate, RFC 9110, 5.6.7).
///
/// Formatting is costly enough that the owner of the clock does it once a second.
package struct DateStamp: Sendable {
  /// Seconds since 1970 in UTC, without leap seconds.
  package let unixSeconds: Int
  /// The formatted date: 29 bytes such as `Sun, 06 Nov 1994 08:49:37 GMT`.
  package let bytes: [UInt8]

  /// Formats a time, given in seconds since 1970.
  ///
  /// - Precondition: The year is in 1970...9999.
  package init(unixSeconds: Int) {
    precondition((0..<253_402_300_800).contains(unixSeconds), "a year has four digits")
    self.unixSeconds = unixSeconds
    let (days, second) = unixSeconds.quotientAndRemainder(dividingBy: 86_400)
    let date = Self.civilDate(daysSince1970: days)
    let weekday = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"][days % 7]
    let month = Self.months[date.month - 1]
    let clock = [second / 3600, second / 60 % 60, second % 60].map(Self.twoDigits)
    let day = Self.twoDigits(date.day)
    let year = Self.twoDigits(date.year / 100) + Self.twoDigits(date.year % 100)
    bytes = Array("\(weekday), \(day) \(month) \(year) \(clock.joined(separator: ":")) GMT".utf8)
  }

  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  private static func twoDigits(_ number: Int) -> String {
    number < 10 ? "0\(number)" : "\(number)"
  }

  /// Returns the Gregorian date of a day.
  ///
  /// Years are counted from 1 March, so that a leap day is the last day of its year.
  static func civilDate(daysSince1970: Int) -> (year: Int, month: Int, day: Int) {
    let daysFromMarch0 = daysSince1970 + 719_468
    let (era, dayOfEra) = daysFromMarch0.quotientAndRemainder(dividingBy: 146_097)
    let yearOfEra =
      (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    return (era * 400 + yearOfEra + (month <= 2 ? 1 : 0), month, day)
  }
}
