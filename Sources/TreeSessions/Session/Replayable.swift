import TreeEngine

/// An answer that can be stored for retries, and encoded for storage.
protocol Replayable: Sendable {
  /// Encodes the answer.
  func write(to writer: inout ByteWriter)

  /// Decodes an answer.
  ///
  /// - Throws: `damaged`.
  init(reading reader: inout ByteReader) throws(ImageError)
}
