/// The time, as the owner of a connection passes it in.
///
/// Nothing here reads a clock.
public struct Moment: Sendable {
  /// Nanoseconds of a clock that never goes back; only differences mean something.
  public let nanoseconds: Int
  /// The same in milliseconds.
  public let milliseconds: Int
  /// The wall clock.
  public let date: DateStamp

  /// A moment of both clocks.
  public init(nanoseconds: Int, date: DateStamp) {
    self.nanoseconds = nanoseconds
    milliseconds = nanoseconds / 1_000_000
    self.date = date
  }

  /// A moment of both clocks, given in milliseconds.
  public init(milliseconds: Int, date: DateStamp) {
    self.init(nanoseconds: milliseconds * 1_000_000, date: date)
  }
}
