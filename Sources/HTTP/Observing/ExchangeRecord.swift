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
  /// How it is named, in its answer as well.
  public internal(set) var id: RequestID
  /// Who asked, as far as the handler knows and was asked.
  public internal(set) var caller: String?
  /// What was asked; nil for one whose head was refused.
  var head: RequestHead?
  /// When its first byte came, in the nanoseconds of ``Moment``.
  public let begin: Int

  init(id: RequestID, begin: Int) {
    self.id = id
    self.begin = begin
  }

  /// The trace it belongs to, if it says so.
  public var trace: TraceContext? { head?.trace }

  /// The path as it was sent, without the query; empty for one whose head was refused.
  public var path: ArraySlice<UInt8> { head?.target.rawPath ?? [] }
}
