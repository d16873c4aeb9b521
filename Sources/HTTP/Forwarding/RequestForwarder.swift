/// A sender of requests to other servers.
package protocol RequestForwarder: Sendable {
  /// Starts sending a request.
  ///
  /// Safe from any thread; it does not block.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - address: The address of the server as `host:port`, with a numeric host.
  /// - Returns: The exchange.
  func send(_ request: OutgoingRequest, to address: String) -> any ForwardedExchange
}

/// A request on its way to another server, and the response on its way back.
///
/// All functions are safe from any thread and do not block. An exchange must be read to its end or
/// cancelled.
package protocol ForwardedExchange: AnyObject, Sendable {
  /// Sets the waker that is used when there are news, or when content was sent.
  func attach(_ waker: Waker)

  /// Appends content of a request that was sent with ``OutgoingRequest/hasMore``.
  func append(_ content: ArraySlice<UInt8>)

  /// Ends the content of such a request.
  func finish()

  /// The number of bytes of content that were appended and are not sent.
  var unsentBytes: Int { get }

  /// Returns what has happened since the last call.
  func news() -> ForwardedNews

  /// Records that the client has closed its sending side.
  func clientFinished()

  /// Aborts the exchange, because the response is no longer needed.
  ///
  /// The connection is closed, so that the other server notices. Does nothing after the end.
  func cancel()
}

/// The news of an exchange.
package struct ForwardedNews: Sendable {
  /// The end of an exchange.
  package enum Ending: Equatable, Sendable {
    /// The response is whole.
    case whole
    /// No response will come, and the request has changed nothing.
    case undone
    /// No response will come, and it is unknown if the request was carried out.
    case unknown
    /// The response was cut off after its head.
    case cut
  }

  /// True if the server wants the content of the request (`100 Continue`).
  package var mayProceed = false
  /// The head, once.
  package var head: ResponseHead?
  /// The content that follows.
  package var content: [UInt8] = []
  /// The end of the exchange, if it has come.
  package var ending: Ending?

  /// Creates empty news.
  package init() {}
}
