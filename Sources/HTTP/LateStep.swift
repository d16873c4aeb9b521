/// What a late answer says when it is asked.
public enum LateStep: Sendable {
  /// The whole answer.
  ///
  /// Not after `begin`.
  case answer(Response)
  /// The head of a stream, its body the first bytes.
  ///
  /// Sent without `Content-Length`: in chunks, or to HTTP/1.0 up to the end of the connection
  /// (RFC 9112, 6.3). Once; to HEAD, or with a status that has no content, it is the whole answer,
  /// and the late answer is cancelled.
  case begin(Response)
  /// More of a stream, at least a byte.
  ///
  /// After `begin`. All of it is held until the client has taken it, so that a piece should be
  /// below 64 KiB.
  case chunk([UInt8])
  /// Nothing yet: to be asked when woken, or after so many milliseconds if a number is given.
  ///
  /// Without a number somebody works at it, for which there is a limit.
  case wait(milliseconds: Int?)
  /// Nothing yet, but it is likely to come in less time than it takes to fall asleep and be woken:
  /// to be asked when woken.
  case waitBriefly
  /// The stream is complete; the connection goes on.
  ///
  /// After `begin`.
  case end
}
