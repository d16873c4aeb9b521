/// A pull parser of strict JSON (RFC 8259) over bytes.
///
/// The caller walks the text value by value: ``beginObject()`` and ``nextMember()`` for objects,
/// ``beginArray()`` and ``nextElement()`` for arrays. Values inside are read by one of the `read`
/// functions or ``skipValue()``, and ``finish()`` ends the text. All consumed bytes are validated,
/// so a text that reaches ``finish()`` without an error is JSON.
///
/// Strings and skipped values are returned as ranges of ``bytes``, without a copy. After an error
/// the reader must not be used.
public struct JSONReader {
  /// The default limit for the nesting of arrays and objects.
  public static let defaultMaxDepth = 128

  /// The text.
  public let bytes: [UInt8]
  /// The maximum nesting of arrays and objects.
  public let maxDepth: Int
  /// The offset of the first unread byte.
  public internal(set) var offset: Int
  /// The number of open arrays and objects.
  public internal(set) var depth = 0
  /// True if the last token read is the opening bracket of the innermost array or object.
  public internal(set) var isAtFirst = false
  /// The offset after the last byte to read, at most `bytes.count`.
  let end: Int

  /// Creates a reader of a whole text.
  ///
  /// - Parameters:
  ///   - bytes: The text.
  ///   - maxDepth: The maximum nesting of arrays and objects.
  public init(_ bytes: [UInt8], maxDepth: Int = defaultMaxDepth) {
    self.init(bytes, in: 0..<bytes.count, maxDepth: maxDepth)
  }

  /// Creates a reader of a value inside a longer text.
  ///
  /// - Parameters:
  ///   - bytes: The text that holds the value. Offsets count from its start.
  ///   - range: The range of the value, within `bytes`.
  ///   - maxDepth: The maximum nesting of arrays and objects in the value.
  public init(_ bytes: [UInt8], in range: Range<Int>, maxDepth: Int = defaultMaxDepth) {
    precondition(range.lowerBound >= 0 && range.upperBound <= bytes.count)
    self.bytes = bytes
    self.maxDepth = maxDepth
    offset = range.lowerBound
    end = range.upperBound
  }

  /// Returns the kind of the next value without consuming it.
  ///
  /// - Throws: A syntax fault if no value begins here.
  public mutating func peekKind() throws(JSONError) -> JSONKind {
    offset = Scan.space(bytes.span.extracting(..<end), offset)
    guard offset < end else { throw endFault }
    guard let kind = JSONKind(firstByte: bytes[offset]) else { throw startFault }
    return kind
  }

  /// Checks that only white space follows.
  ///
  /// - Precondition: No array or object is open.
  /// - Throws: ``JSONError/Reason/trailingBytes`` at the first other byte.
  public mutating func finish() throws(JSONError) {
    precondition(depth == 0, "every array and object must be read to its end")
    offset = Scan.space(bytes.span.extracting(..<end), offset)
    guard offset == end else { throw JSONError(.trailingBytes, at: offset) }
  }

  /// Validates a whole text.
  ///
  /// - Returns: The range of its value, without the white space around it.
  /// - Throws: The first syntax fault.
  public static func validate(
    _ bytes: [UInt8],
    maxDepth: Int = defaultMaxDepth
  ) throws(JSONError) -> Range<Int> {
    var reader = JSONReader(bytes, maxDepth: maxDepth)
    let value = try reader.skipValue()
    try reader.finish()
    return value
  }

  private var endFault: JSONError {
    JSONError(depth == 0 ? .emptyInput : .unexpectedEnd, at: offset)
  }

  private var startFault: JSONError {
    let rest = bytes[offset..<end]
    let isMark = offset == 0 && rest.starts(with: [0xEF, 0xBB, 0xBF])
    return JSONError(isMark ? .byteOrderMark : .unexpectedByte, at: offset)
  }
}
