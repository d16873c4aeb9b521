/// What one connection may ask of the server.
///
/// Every bound on input from outside has its name here.
public struct Limits: Sendable {
  /// The longest request line, without its CRLF, with the empty lines that may stand before it.
  ///
  /// RFC 9112, 3 recommends at least 8000. Over: 414.
  public var maxRequestLineBytes = 8 * 1024
  /// The longest method; the longest there is has half as many.
  ///
  /// Over: 501.
  static let maxMethodBytes = 32
  /// The largest header section, CRLFs included.
  ///
  /// Over: 431.
  public var maxHeaderBytes = 32 * 1024
  /// The most header fields, and the most trailer fields.
  ///
  /// Over: 431.
  public var maxHeaderFields = 100
  /// The largest content.
  ///
  /// Over: 413, before anything of it is read where its length is announced.
  public var maxBodyBytes = 16 * 1024 * 1024
  /// The most bytes of content that is let pass where nobody reads it, so that the connection can
  /// go on.
  ///
  /// Over: the answer comes before the rest, and the connection closes.
  public var maxUnreadBytes = 64 * 1024
  /// The most bytes of chunk extensions, without CRLFs, and of trailers, with them, of one request
  /// together.
  ///
  /// Over: 431.
  public var maxChunkOverheadBytes = 8 * 1024
  /// How long a message head may take from its first byte, and a new connection until one.
  ///
  /// Past it: 408.
  public var headerTimeoutMilliseconds = 10_000
  /// How long a connection may idle between requests.
  ///
  /// Past it: closed without a word.
  public var idleTimeoutMilliseconds = 75_000
  /// How long content may pause, and the head start it has before `minBodyBytesPerSecond` counts.
  ///
  /// Past it: 408.
  public var bodyTimeoutMilliseconds = 10_000
  /// The least average rate of content; 0 where any rate will do.
  ///
  /// Below it: 408.
  public var minBodyBytesPerSecond = 500
  /// How long an answer that takes time may take until it begins, where it does not say itself how
  /// long it waits: one that waits for something to happen works at nothing.
  ///
  /// Past it: 503, unless something may have been changed; that is waited for.
  public var handlerTimeoutMilliseconds = 120_000
  /// How long a client may take nothing of an answer, and the head start it has before
  /// `minAnswerBytesPerSecond` counts.
  ///
  /// Past it: the connection is reset.
  public var writeStallMilliseconds = 20_000
  /// The least average rate at which an answer is taken; 0 where any rate will do.
  public var minAnswerBytesPerSecond = 500
  /// How long a closing connection is still read, so that the client gets the last answer rather
  /// than a reset (RFC 9112, 9.6).
  public var lingerMilliseconds = 2_000
  /// How many bytes a closing connection is still read for.
  public var maxLingerBytes = 64 * 1024 * 1024
  /// How many requests a connection serves before it is closed.
  public var maxRequestsPerConnection = 1_000
  /// A buffer of more bytes than this is given back once it is empty: a connection that is kept
  /// idle is to cost little, and to ask for a larger buffer costs next to nothing.
  public var bufferBytesKept = 4 * 1024

  /// The defaults.
  public init() {}
}
