/// Puts frames together again that come in pieces of any size; see ``ByteWriter/appendFrame(_:)``.
///
/// It holds the bytes of one frame at most, besides what it was given last, and no more than came.
public struct FrameReader: Sendable {
  private var bytes: [UInt8] = []
  private var start = 0

  /// Creates a reader of nothing yet.
  ///
  /// - Complexity: O(1).
  public init() {}

  /// Whether nothing waits for more.
  public var isEmpty: Bool { start == bytes.count }

  /// Adds a piece.
  ///
  /// - Complexity: O(bytes).
  public mutating func append(_ piece: ArraySlice<UInt8>) {
    if start > 0 {
      bytes.removeFirst(start)
      start = 0
    }
    bytes.append(contentsOf: piece)
  }

  /// Takes the next frame; nil until all of it is there.
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

  /// Takes the name and the version of a form; see ``ByteWriter/append(name:version:)``.
  ///
  /// - Parameters:
  ///   - name: the name.
  ///   - versions: those that can be read.
  /// - Returns: whether they were there; false until all their bytes are.
  /// - Throws: ``ImageError/foreign`` and ``ImageError/unknownVersion(_:)``.
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

  /// Takes all that is left.
  ///
  /// - Complexity: O(1).
  ///
  /// - Complexity: O(1).
  public mutating func rest() -> ArraySlice<UInt8> {
    defer { start = bytes.count }
    return bytes[start...]
  }
}
