/// The record of a request and its response, complete when the exchange is over.
///
/// Every request that has begun gets one, for any outcome: an immediate or deferred response, a
/// stream, a refusal by the parser, or a broken connection.
package struct ExchangeRecord: Sendable {
  /// The route of the request; ``RouteLabel/malformed`` if the head was refused or incomplete.
  package internal(set) var route = RouteLabel.malformed
  /// The method; nil if it is unknown to the server.
  package internal(set) var method: Method?
  /// The status of the response; nil if there was none.
  package internal(set) var status: Status?
  /// True if the whole response was passed to the system.
  package internal(set) var isComplete = false
  /// The bytes read of the request, with head and framing.
  package internal(set) var requestBytes = 0
  /// The bytes of the response that the system accepted, with head and framing.
  package internal(set) var answerBytes = 0
  /// The id of the request, which the response also carries.
  package internal(set) var id: RequestID
  /// The caller; nil if the handler does not know it or was not asked.
  package internal(set) var caller: String?
  /// The head; nil if it was refused or incomplete.
  var head: RequestHead?
  /// The time of the first byte, in nanoseconds of ``Moment``.
  package let begin: Int

  init(id: RequestID, begin: Int) {
    self.id = id
    self.begin = begin
  }

  /// The trace that the request belongs to, if it has a valid `traceparent`.
  package var trace: TraceContext? { head?.trace }

  /// The path as sent, without the query; empty if the head was refused or incomplete.
  package var path: ArraySlice<UInt8> { head?.target.rawPath ?? [] }
}
