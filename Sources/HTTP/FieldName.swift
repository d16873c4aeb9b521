/// The name of a header field, so that one cannot be misspelt in passing.
///
/// Names are compared without regard to the case of ASCII letters (RFC 9110, 5.1) and sent as
/// written.
public struct FieldName: Sendable, CustomStringConvertible {
  /// The name as it is sent.
  public let bytes: [UInt8]
  /// See ``mark(ofLength:from:)``.
  @usableFromInline let mark: UInt64

  /// A name from its text, which must be a token (RFC 9110, 5.6.2).
  public init(_ name: String) {
    bytes = Array(name.utf8)
    precondition(
      !bytes.isEmpty && bytes.allSatisfy(\.isTokenCharacter),
      "a field name is a token"
    )
    mark = Self.mark(ofLength: bytes.count, from: bytes[0])
  }

  /// One of 64 bits, by the length of a name and its first letter, be that large or small: those
  /// that a message has tell of most others that it has them not.
  static func mark(ofLength length: Int, from first: UInt8) -> UInt64 {
    1 &<< UInt64(truncatingIfNeeded: 5 &* length &+ Int(first | 0x20))
  }

  /// The name as text.
  public var description: String { String(decoding: bytes, as: UTF8.self) }

  /// What media types the client wants.
  public static let accept = FieldName("Accept")
  /// What media types of a patch a resource takes (RFC 5789, 3.1).
  public static let acceptPatch = FieldName("Accept-Patch")
  /// The methods a resource allows.
  public static let allow = FieldName("Allow")
  /// The client's credentials.
  public static let authorization = FieldName("Authorization")
  /// Who may keep the response.
  public static let cacheControl = FieldName("Cache-Control")
  /// Whether the connection goes on.
  public static let connection = FieldName("Connection")
  /// What codings of content the client takes.
  public static let acceptEncoding = FieldName("Accept-Encoding")
  /// The coding of the content, such as gzip.
  public static let contentEncoding = FieldName("Content-Encoding")
  /// `Content-Range`.
  public static let contentRange = FieldName("Content-Range")
  /// The number of bytes of content.
  public static let contentLength = FieldName("Content-Length")
  /// The media type of the content.
  public static let contentType = FieldName("Content-Type")
  /// The tag of the version sent.
  public static let eTag = FieldName("ETag")
  /// What the client waits for before it sends the content.
  public static let expect = FieldName("Expect")
  /// Which server is meant.
  public static let host = FieldName("Host")
  /// The token by which a repeated request is known.
  public static let idempotencyKey = FieldName("Idempotency-Key")
  /// Do it only if the version is one of these.
  public static let ifMatch = FieldName("If-Match")
  /// Do it only if the version is none of these.
  public static let ifNoneMatch = FieldName("If-None-Match")
  /// Where the new resource is.
  public static let location = FieldName("Location")
  /// The web origin that caused the request.
  public static let origin = FieldName("Origin")
  /// How many seconds to wait before trying again.
  public static let retryAfter = FieldName("Retry-After")
  /// How the message is framed.
  public static let transferEncoding = FieldName("Transfer-Encoding")
  /// Which request fields the choice of content depended on.
  public static let vary = FieldName("Vary")
  /// How a request and its answer are named.
  static let requestID = FieldName("X-Request-Id")
  /// The trace that a request belongs to (W3C Trace Context).
  static let traceParent = FieldName("traceparent")

  /// Whether these bytes are this name.
  func names(_ bytes: ArraySlice<UInt8>) -> Bool {
    equalIgnoringCase(bytes.span, self.bytes.span)
  }
}
