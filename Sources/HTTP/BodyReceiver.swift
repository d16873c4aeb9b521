/// A consumer of one request's content, piece by piece as it arrives.
///
/// All calls are made on the connection's event loop thread, one at a time, and must not block.
/// ``begin()`` is called first. The last call is ``finish()``, ``cancel()``, or one that returns a
/// refusal.
package protocol BodyReceiver: AnyObject, Sendable {
  /// The maximum length of the content, in bytes, instead of ``Limits/maxBodyBytes``.
  ///
  /// Longer content gives 413. If its length is announced, none of it is read.
  var maxBytes: Int { get }

  /// The number of bytes it collects, or nil if it does not collect content. Nil by default.
  ///
  /// Collected bytes count as memory held by the connection. The request may be refused if memory
  /// runs out.
  var heldBytes: Int? { get }

  /// Passes a waker, before ``begin()``.
  ///
  /// Does nothing by default.
  ///
  /// - Parameter waker: Makes the owner look at ``demand()`` again.
  func attach(_ waker: Waker)

  /// Returns what the receiver wants at present; more content by default.
  ///
  /// It is asked before content is read, and when woken.
  func demand() -> BodyDemand

  /// Starts after the head is parsed, before content is read or requested with `100 Continue`.
  ///
  /// - Returns: A response that refuses the request, or nil. Nil by default. The connection closes
  ///   after a refusal, because the content is not read.
  func begin() -> Response?

  /// Consumes content, without chunked framing.
  ///
  /// - Parameter bytes: At least one byte, at most about the result of one read.
  /// - Returns: A response that refuses the rest, or nil. The connection closes after a refusal.
  func receive(_ bytes: ArraySlice<UInt8>) -> Response?

  /// Ends the content.
  ///
  /// - Returns: The reply to the request.
  func finish() -> Reply

  /// Aborts: the client disconnected or broke a rule, or the server stops.
  func cancel()
}

/// The demand of a receiver for content.
package enum BodyDemand: Sendable {
  /// More content.
  ///
  /// A client that waits for `100 Continue` gets it now.
  case more
  /// Nothing before the receiver wakes the owner, so the client is slowed down.
  case pause
  /// Nothing more, because the request is refused.
  ///
  /// The connection closes after the response. No call follows.
  case refuse(Response)
}

extension BodyReceiver {
  /// Does nothing, because a receiver takes all content by default.
  package func attach(_ waker: Waker) {}

  /// Returns ``BodyDemand/more``.
  package func demand() -> BodyDemand { .more }

  /// Nil, because a receiver does not collect content by default.
  package var heldBytes: Int? { nil }

  /// Returns nil, so that the request is not refused.
  package func begin() -> Response? { nil }
}

/// A body receiver that refuses a request by its head alone.
package final class Refusal: BodyReceiver {
  /// No limit, because no content is accepted.
  package let maxBytes = Int.max
  private let response: Response

  /// Creates a refusal with a response, after which the connection closes.
  package init(_ response: Response) { self.response = response }

  /// Returns the response.
  package func begin() -> Response? { response }

  /// Returns the response.
  package func receive(_ bytes: ArraySlice<UInt8>) -> Response? { response }

  /// Returns the response as a reply.
  package func finish() -> Reply { .response(response) }

  /// Does nothing.
  package func cancel() {}
}
