/// The time, as the owner of a connection passes it in.
///
/// Nothing here reads a clock.
public struct Moment: Sendable {
  /// Milliseconds of a clock that never goes back; only differences mean something.
  public let milliseconds: Int
  /// The wall clock.
  public let date: DateStamp

  /// A moment of both clocks.
  public init(milliseconds: Int, date: DateStamp) {
    self.milliseconds = milliseconds
    self.date = date
  }
}
