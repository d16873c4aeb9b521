/// The unsent output of a connection: bytes, followed by content that is not copied to them.
///
/// Content is never without bytes before it. Once those are written, the content takes their place.
struct Output: Sendable {
  /// The bytes, those already written included.
  var bytes: [UInt8] = []
  /// The number of `bytes` that are written.
  private(set) var written = 0
  /// The content that follows `bytes`.
  var content: [UInt8] = []
  /// The time when writing of the current part began, in milliseconds of ``Moment``.
  var begin = 0

  /// True if everything is written.
  var isEmpty: Bool { written == bytes.count }

  /// True if the output begins with the head of a response, of which nothing is written.
  var isUnsent = false

  /// True if that response is of a request that has changed nothing; see ``Response/isOfReading``.
  var isOfReading = false

  /// The number of bytes of memory held until everything is written.
  ///
  /// Unused capacity does not count, because the system provides memory at the first write.
  var heldBytes: Int { isEmpty ? 0 : bytes.count + content.count }

  /// The number of bytes not written.
  var count: Int { bytes.count - written + content.count }

  /// Records that bytes were written.
  ///
  /// - Parameters:
  ///   - count: The number of bytes written, of bytes and content.
  ///   - time: The time, in milliseconds of ``Moment``.
  ///   - maxBytes: The capacity up to which an empty buffer is kept.
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

  /// Discards everything that is not written.
  mutating func drop() { (bytes, written, content, isUnsent) = ([], 0, [], false) }
}
