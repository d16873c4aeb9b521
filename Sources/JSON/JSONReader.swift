/// A pull reader of strict JSON (RFC 8259) over bytes.
///
/// The caller walks the text value by value: ``beginObject()`` and ``nextMember()`` for objects,
/// ``beginArray()`` and ``nextElement()`` for arrays, one of the `read` functions or
/// ``skipValue()`` for every value inside, and ``finish()`` at the end. What was passed has been
/// checked; a text that reaches ``finish()`` without a fault is JSON.
///
/// Strings and skipped values are given back as ranges of ``bytes``: nothing is copied until it is
/// asked for. After a fault the reader must not be used further.
public struct JSONReader {
  /// How deep arrays and objects may be nested when nothing else is said.
  public static let defaultMaxDepth = 128

  /// The text being read.
  public let bytes: [UInt8]
  /// How deep arrays and objects may be nested.
  public let maxDepth: Int
  /// The offset of the first byte not read yet.
  public internal(set) var offset: Int
  /// How many arrays and objects are open.
  public internal(set) var depth = 0
  /// Whether the opening bracket of the innermost array or object was read last.
  public internal(set) var isAtFirst = false
  /// The text ends here, which may be before the last byte.
  let end: Int

  /// Starts reading at the first byte.
  ///
  /// - Parameters:
  ///   - bytes: The whole text.
  ///   - maxDepth: How deep arrays and objects may be nested.
  public init(_ bytes: [UInt8], maxDepth: Int = defaultMaxDepth) {
    self.init(bytes, in: 0..<bytes.count, maxDepth: maxDepth)
  }

  /// Starts reading a value that stands somewhere inside a longer text.
  ///
  /// - Parameters:
  ///   - bytes: The text that holds the value. Offsets count from its start.
  ///   - range: Where the value stands.
  ///   - maxDepth: How deep arrays and objects may be nested inside the value.
  public init(_ bytes: [UInt8], in range: Range<Int>, maxDepth: Int = defaultMaxDepth) {
    precondition(range.lowerBound >= 0 && range.upperBound <= bytes.count)
    self.bytes = bytes
    self.maxDepth = maxDepth
    offset = range.lowerBound
    end = range.upperBound
  }

  /// The kind of the next value, which is not read yet.
  ///
  /// - Throws: A syntax fault when no value begins here.
  public mutating func peekKind() throws(JSONError) -> JSONKind {
    offset = Scan.space(bytes.span.extracting(..<end), offset)
    guard offset < end else { throw endFault }
    guard let kind = JSONKind(firstByte: bytes[offset]) else { throw startFault }
    return kind
  }

  /// Checks that nothing but white space follows.
  ///
  /// - Throws: ``JSONError/Reason/trailingBytes`` at the first byte that is too much.
  public mutating func finish() throws(JSONError) {
    precondition(depth == 0, "every array and object must be read to its end")
    offset = Scan.space(bytes.span.extracting(..<end), offset)
    guard offset == end else { throw JSONError(.trailingBytes, at: offset) }
  }

  /// Checks a whole text that stands alone.
  ///
  /// - Returns: Where its value stands: the text without the white space around it.
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
