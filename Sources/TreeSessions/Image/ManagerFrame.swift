import TreeDomain
import TreeEngine

/// The kind of a frame in a ``ManagerImage``.
enum ManagerFrame: UInt8 {
  /// The properties of the tree.
  case head
  /// The sections before a commit.
  case formerSections
  /// An answer of the tree to a request with an idempotency key.
  case replay
  case session
  /// An answer of the session before this frame to a request with an idempotency key.
  case sessionReplay
  /// The end of the frames.
  case end
  /// The nodes that sleeping sessions name.
  case names
  /// A sleeping session.
  case sleeping

  /// The first bytes of an image.
  static let name = Array("TREESESS".utf8)
  /// The version of the encoding, which follows the name in four bytes.
  static let version: UInt32 = 3
}

extension ByteWriter {
  /// Appends a frame.
  mutating func append(_ kind: ManagerFrame, _ body: (inout ByteWriter) -> Void) {
    appendFrame { writer in
      writer.append(kind.rawValue)
      body(&writer)
    }
  }
}
