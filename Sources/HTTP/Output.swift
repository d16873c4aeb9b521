/// What a connection is still to send: bytes, and content behind them that is not copied to them.
///
/// Where there is content there are bytes before it; once they are written, it takes their place.
struct Output: Sendable {
  /// The bytes; those that are written already are among them.
  var bytes: [UInt8] = []
  /// How many of them are written.
  private(set) var written = 0
  /// What comes behind them.
  var content: [UInt8] = []
  /// When writing began, in the milliseconds of ``Moment``.
  var begin = 0

  /// Whether all is written.
  var isEmpty: Bool { written == bytes.count }

  /// True if it begins with the head of a response, of which nothing is written.
  var isUnsent = false

  /// The bytes of memory that it takes until all is written.
  var heldBytes: Int { isEmpty ? 0 : bytes.capacity + content.capacity }

  /// How many bytes are not written.
  var count: Int { bytes.count - written + content.count }

  /// Notes that so many bytes were written.
  ///
  /// - Parameters:
  ///   - count: How many, of bytes and content.
  ///   - time: The time.
  ///   - maxBytes: A buffer of more bytes than this is given back once it is empty.
  mutating func wrote(_ count: Int, at time: Int, keeping maxBytes: Int) {
    precondition(count <= self.count, "more written than there was")
    written += count
    isUnsent = false
    guard self.count > 0 else {
      written = 0
      content = []
      return bytes.removeAll(keepingCapacity: bytes.capacity <= maxBytes)
    }
    guard written >= bytes.count else { return }
    written -= bytes.count
    bytes = content
    content = []
    begin = time
  }

  /// Drops what is not written.
  mutating func drop() { (bytes, written, content, isUnsent) = ([], 0, [], false) }
}
