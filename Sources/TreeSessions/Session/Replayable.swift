import TreeEngine

/// An answer that can be kept for a retry, in bytes where it must outlive the process.
protocol Replayable: Sendable {
  /// Writes the answer.
  func write(to writer: inout ByteWriter)

  /// Reads an answer that was written.
  ///
  /// - Throws: `damaged`.
  init(reading reader: inout ByteReader) throws(ImageError)
}
