/// What writer and reader of an image agree on.
enum ImageForm {
  /// What the image of a tree begins with.
  static let treeName = Array("TREEIMAG".utf8)
  /// Follows the name, in four bytes.
  static let version: UInt32 = 2
  /// Ends an image.
  static let end: UInt32 = 0x2E44_4E45
  /// A frame is closed once it has so many bytes.
  static let frameBytes = 16_384
}

/// What one byte says of a node.
struct NodeFlags {
  var childState: ChildState
  /// Whether it is in the tree.
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
