/// The name of a header field, as a type so that names are spelt in one place.
///
/// Comparison ignores the case of ASCII letters (RFC 9110, 5.1). Names are sent as written.
public struct FieldName: Sendable, CustomStringConvertible {
  /// The name as sent.
  public let bytes: [UInt8]
  /// See ``mark(ofLength:from:)``.
  @usableFromInline let mark: UInt64

  /// Creates a name.
  ///
  /// - Precondition: The text is a token (RFC 9110, 5.6.2).
  public init(_ name: String) {
    bytes = Array(name.utf8)
    precondition(
      !bytes.isEmpty && bytes.allSatisfy(\.isTokenCharacter),
      "a field name is a token"
    )
    mark = Self.mark(ofLength: bytes.count, from: bytes[0])
  }

  /// Returns one of 64 bits, chosen by the length of a name and its first letter in lower case.
  ///
  /// The bits of a message's fields form a set, which quickly rules out most absent names.
  static func mark(ofLength length: Int, from first: UInt8) -> UInt64 {
    1 &<< UInt64(truncatingIfNeeded: 5 &* length &+ Int(first | 0x20))
  }

  /// The name as text.
  public var description: String { String(decoding: bytes, as: UTF8.self) }

  /// The media types that the client accepts.
  public static let accept = FieldName("Accept")
  /// The media types of patches that a resource accepts (RFC 5789, 3.1).
  public static let acceptPatch = FieldName("Accept-Patch")
  /// The methods a resource allows.
  public static let allow = FieldName("Allow")
  /// The client's credentials.
  public static let authorization = FieldName("Authorization")
  /// The rules for caches.
  public static let cacheControl = FieldName("Cache-Control")
  /// The options for the connection, such as `close`.
  public static let connection = FieldName("Connection")
  /// The content codings that the client accepts.
  public static let acceptEncoding = FieldName("Accept-Encoding")
  /// The coding of the content, such as gzip.
  public static let contentEncoding = FieldName("Content-Encoding")
  /// The range of the resource that is in the content.
  public static let contentRange = FieldName("Content-Range")
  /// The length of the content in bytes.
  public static let contentLength = FieldName("Content-Length")
  /// The media type of the content.
  public static let contentType = FieldName("Content-Type")
  /// The entity tag of the version sent.
  public static let eTag = FieldName("ETag")
  /// The behaviour that the client expects before it sends the content.
  public static let expect = FieldName("Expect")
  /// The host and port of the request.
  public static let host = FieldName("Host")
  /// The token that identifies repetitions of a request.
  public static let idempotencyKey = FieldName("Idempotency-Key")
  /// The versions on which the request is conditional.
  public static let ifMatch = FieldName("If-Match")
  /// The versions that make the request fail or be unnecessary.
  public static let ifNoneMatch = FieldName("If-None-Match")
  /// The URI of the new resource.
  public static let location = FieldName("Location")
  /// The web origin that caused the request.
  public static let origin = FieldName("Origin")
  /// The number of seconds to wait before the next attempt.
  public static let retryAfter = FieldName("Retry-After")
  /// The transfer codings of the message.
  public static let transferEncoding = FieldName("Transfer-Encoding")
  /// The request fields that the choice of content depended on.
  public static let vary = FieldName("Vary")
  /// The id of a request and its response.
  static let requestID = FieldName("X-Request-Id")
  /// The trace that a request belongs to (W3C Trace Context).
  static let traceParent = FieldName("traceparent")

  /// Returns true if the bytes are this name.
  func names(_ bytes: ArraySlice<UInt8>) -> Bool {
    equalIgnoringCase(bytes.span, self.bytes.span)
  }
}
