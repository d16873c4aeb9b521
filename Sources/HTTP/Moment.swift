/// A point in time, passed in by the owner of a connection.
///
/// This module reads no clock.
package struct Moment: Sendable {
  /// Nanoseconds of a monotonic clock.
  ///
  /// Only differences are meaningful.
  package let nanoseconds: Int
  /// Milliseconds of the same clock.
  package let milliseconds: Int
  /// The wall clock time.
  package let date: DateStamp

  /// Creates a moment of both clocks.
  package init(nanoseconds: Int, date: DateStamp) {
    self.nanoseconds = nanoseconds
    milliseconds = nanoseconds / 1_000_000
    self.date = date
  }

  /// Creates a moment of both clocks from milliseconds.
  package init(milliseconds: Int, date: DateStamp) {
    self.init(nanoseconds: milliseconds * 1_000_000, date: date)
  }
}
