/// Takes the content of one request as it comes, instead of all at once.
///
/// Everything here is called on the thread of the connection's loop, one call at a time, and must
/// not wait. ``begin()`` comes first. The last call is one that returned a refusal, or
/// ``finish()``, or ``cancel()``.
public protocol BodyReceiver: AnyObject, Sendable {
  /// The most bytes of content, in place of ``Limits/maxBodyBytes``.
  ///
  /// Over: 413, before anything of it is read where its length is announced.
  var maxBytes: Int { get }

  /// How many bytes it holds, where it collects the content; nil, as by default, where what it
  /// makes of it is its own affair.
  ///
  /// What is collected counts as what the connection holds, and is given up where there is no room.
  var heldBytes: Int? { get }

  /// The head is there and nothing of the content is read, or asked for with `100 Continue`.
  ///
  /// - Returns: A response that refuses the request, or nil, as by default. The connection closes
  ///   after it, as the content is not read.
  func begin() -> Response?

  /// Content came, with chunked framing taken off.
  ///
  /// - Parameter bytes: At least one byte and about one read's worth at most.
  /// - Returns: A response that refuses the rest, or nil. The connection closes after it.
  func receive(_ bytes: ArraySlice<UInt8>) -> Response?

  /// All of the content has come.
  ///
  /// - Returns: The reply to the request.
  func finish() -> Reply

  /// The rest will not come: the client is gone, or broke a rule, or the server stops.
  func cancel()
}

extension BodyReceiver {
  /// Collects nothing.
  public var heldBytes: Int? { nil }

  /// Refuses nothing.
  public func begin() -> Response? { nil }
}
