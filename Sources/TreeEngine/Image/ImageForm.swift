/// The constants of the image format.
enum ImageForm {
  /// The name at the start of a tree image.
  static let treeName = Array("TREEIMAG".utf8)
  /// The version of the format, stored in four bytes after the name.
  static let version: UInt32 = 2
  /// The mark at the end of an image.
  static let end: UInt32 = 0x2E44_4E45
  /// The size in bytes at which a frame ends; what follows is in the next frame.
  ///
  /// See ``ByteWriter/appendFrame(_:)``.
  static let frameBytes = 16_384
}

/// The flags of a node, stored in one byte.
struct NodeFlags {
  var childState: ChildState
  /// True if the node is in the tree.
  var isLinked: Bool
  var hasHint: Bool
  var hasObject: Bool

  var bits: UInt8 {
    childState.rawValue | (isLinked ? 8 : 0) | (hasHint ? 16 : 0) | (hasObject ? 32 : 0)
  }
}

extension NodeFlags {
  init(bits: UInt8) throws(ImageError) {
    guard bits < 64, let state = ChildState(rawValue: bits & 7) else { throw .damaged }
    self.init(
      childState: state,
      isLinked: bits & 8 > 0,
      hasHint: bits & 16 > 0,
      hasObject: bits & 32 > 0
    )
  }
}

/// A reason why bytes cannot be read as an image.
public enum ImageError: Error, Equatable, Sendable {
  /// The bytes were truncated or changed.
  case damaged
  /// The bytes have another format.
  case foreign
  /// The version of the format is not supported.
  case unknownVersion(UInt32)
}
