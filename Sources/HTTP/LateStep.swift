/// The next step of a deferred answer.
package enum LateStep: Sendable {
  /// The whole response.
  ///
  /// Not allowed after `begin`.
  case answer(Response)
  /// The head of a stream.
  ///
  /// Its body is the first content.
  ///
  /// It is sent without `Content-Length`: in chunks, or with HTTP/1.0 up to the end of the
  /// connection (RFC 9112, 6.3). Allowed once. For HEAD, or a status without content, it is the
  /// whole response, and the deferred answer is cancelled.
  case begin(Response)
  /// More content of a stream, at least one byte.
  ///
  /// Allowed after `begin`. It is held until the client has received it, so it should be shorter
  /// than 64 KiB.
  case chunk([UInt8])
  /// Nothing yet: ask when woken, or after some milliseconds if a number is given.
  ///
  /// Without a number, work is in progress, for which there is a time limit.
  case wait(milliseconds: Int?)
  /// Nothing yet, but the next step is likely within microseconds: ask when woken.
  ///
  /// The event loop spins for that time, because sleeping and waking would take longer.
  case waitBriefly
  /// The end of the stream; the connection stays open.
  ///
  /// Allowed after `begin`.
  case end
  /// The answer cannot be continued: the connection is reset, so that the client notices.
  ///
  /// A stream without its end must not look whole (RFC 9112, 8).
  case abort
}
