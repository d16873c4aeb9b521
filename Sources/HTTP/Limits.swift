/// The limits of one connection.
///
/// Every limit on input from outside is named here.
package struct Limits: Sendable {
  /// The maximum request line in bytes, without its CRLF, with empty lines before it.
  ///
  /// RFC 9112, 3 recommends at least 8000. Beyond it: 414.
  package var maxRequestLineBytes = 8 * 1024
  /// The maximum method in bytes, twice the longest registered one.
  ///
  /// Beyond it: 501.
  static let maxMethodBytes = 32
  /// The maximum header section in bytes, CRLFs included.
  ///
  /// Beyond it: 431.
  package var maxHeaderBytes = 32 * 1024
  /// The maximum number of header fields, and of trailer fields.
  ///
  /// Beyond it: 431.
  package var maxHeaderFields = 100
  /// The maximum content in bytes.
  ///
  /// Beyond it: 413. If the length is announced, none of the content is read.
  package var maxBodyBytes = 16 * 1024 * 1024
  /// The maximum content in bytes that is read and discarded so that the connection can continue.
  ///
  /// Beyond it: the response is sent before the rest, and the connection closes.
  package var maxUnreadBytes = 64 * 1024
  /// The maximum length of chunk extensions and trailers of one request together, in bytes.
  ///
  /// Extensions count without CRLFs, trailers with them. Beyond it: 431.
  package var maxChunkOverheadBytes = 8 * 1024
  /// The time for a message head from its first byte, and for a new connection to send that byte.
  ///
  /// Beyond it: 408.
  package var headerTimeoutMilliseconds = 10_000
  /// The time that a connection may be idle between requests.
  ///
  /// Beyond it: the connection is closed without a response.
  package var idleTimeoutMilliseconds = 75_000
  /// The time that content may pause, and the time before `minBytesPerSecond` is applied.
  ///
  /// Beyond it: 408.
  package var bodyTimeoutMilliseconds = 10_000
  /// The time for a deferred answer to begin, unless it says how long it waits.
  ///
  /// An answer that waits for an event does no work. Beyond it: 503, unless the work may have
  /// changed something; then the server waits.
  package var handlerTimeoutMilliseconds = 120_000
  /// The time that a client may accept none of a response, and before `minBytesPerSecond` is
  /// applied.
  ///
  /// Beyond it: the connection is reset.
  package var writeStallMilliseconds = 20_000
  /// The minimum average rate at which a client must send content and accept a response; 0 for
  /// none.
  ///
  /// Content that is slower: 408. A slower reader: the connection is reset.
  package var minBytesPerSecond = 500
  /// The maximum number of bytes for which a closing connection is still read.
  package var maxLingerBytes = 64 * 1024 * 1024
  /// The number of requests after which a connection is closed.
  package var maxRequestsPerConnection = 1_000
  /// The maximum size of an empty buffer that is kept, in bytes.
  ///
  /// Larger ones are freed, so that an idle connection costs little. Allocating again is cheap.
  package var bufferBytesKept = 4 * 1024

  /// Creates the default limits.
  package init() {}
}
