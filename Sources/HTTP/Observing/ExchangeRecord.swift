/// What is to be known of a request and its answer when it is over.
///
/// Every request that has begun gives one, whatever became of it: answered at once or late, as a
/// stream, refused by the parser, or broken off.
public struct ExchangeRecord: Sendable {
  /// Where the request went; ``RouteLabel/malformed`` for one whose head was refused or never
  /// complete.
  public internal(set) var route = RouteLabel.malformed
  /// Its method; nil if that is none the server knows.
  public internal(set) var method: Method?
  /// The status it was answered with; nil if it broke off before that.
  public internal(set) var status: Status?
  /// Whether all of the answer was given to the system to be sent.
  public internal(set) var isComplete = false
  /// The bytes of the request, its head and framing included, as far as it was read.
  public internal(set) var requestBytes = 0
  /// The bytes of the answer, likewise, as far as the system took them.
  public internal(set) var answerBytes = 0
  /// When its first byte came, in the nanoseconds of ``Moment``.
  public let begin: Int

  init(begin: Int) { self.begin = begin }
}
