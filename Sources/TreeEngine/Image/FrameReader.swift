/// Reassembles frames from pieces of any size.
///
/// See ``ByteWriter/appendFrame(_:)``.
///
/// It buffers one incomplete frame and the last piece at most. It never allocates memory by a
/// length that the input states.
public struct FrameReader: Sendable {
  private var bytes: [UInt8] = []
  private var start = 0

  /// Creates an empty reader.
  ///
  /// - Complexity: O(1).
  public init() {}

  /// True if no bytes are buffered.
  public var isEmpty: Bool { start == bytes.count }

  /// Adds the next piece.
  ///
  /// - Complexity: O(bytes).
  public mutating func append(_ piece: ArraySlice<UInt8>) {
    if start > 0 {
      bytes.removeFirst(start)
      start = 0
    }
    bytes.append(contentsOf: piece)
  }

  /// Consumes the next frame, or returns nil if it is not complete.
  ///
  /// - Complexity: O(1).
  public mutating func next() -> ByteReader? {
    var reader = ByteReader(bytes[start...])
    guard let length = try? reader.fixed(UInt32.self),
      let frame = try? reader.raw(Int(length))
    else { return nil }
    start = frame.endIndex
    return ByteReader(frame)
  }

  /// Consumes the name and the version of a format.
  ///
  /// See ``ByteWriter/append(name:version:)``.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - versions: The supported versions.
  /// - Returns: True if they were read, or false if bytes are missing.
  /// - Throws: ``ImageError/foreign`` or ``ImageError/unknownVersion(_:)``.
  /// - Complexity: O(length of the name).
  public mutating func begins(
    with name: [UInt8],
    versions: ClosedRange<UInt32>
  ) throws(ImageError) -> Bool {
    var reader = ByteReader(bytes[start...])
    guard reader.remaining >= name.count + 4 else { return false }
    guard try reader.raw(name.count).elementsEqual(name) else { throw .foreign }
    let found = try reader.fixed(UInt32.self)
    guard versions.contains(found) else { throw .unknownVersion(found) }
    start += name.count + 4
    return true
  }

  /// Consumes all unread bytes.
  ///
  /// - Complexity: O(1).
  public mutating func rest() -> ArraySlice<UInt8> {
    defer { start = bytes.count }
    return bytes[start...]
  }
}
