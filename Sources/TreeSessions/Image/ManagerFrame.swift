import TreeDomain
import TreeEngine

/// What a frame of a ``ManagerImage`` is.
enum ManagerFrame: UInt8 {
  /// What there is one of.
  case head
  /// The sections before some commit.
  case formerSections
  /// An answer of the tree to a request with an idempotency key.
  case replay
  case session
  /// An answer of the session before.
  case sessionReplay
  /// Nothing of its kind follows.
  case end
  /// The nodes that sleeping sessions name.
  case names
  /// A sleeping session.
  case sleeping

  /// What an image begins with.
  static let name = Array("TREESESS".utf8)
  /// Follows the name, in four bytes.
  static let version: UInt32 = 3
}

extension ByteWriter {
  /// Appends a frame of a kind.
  mutating func append(_ kind: ManagerFrame, _ body: (inout ByteWriter) -> Void) {
    appendFrame { writer in
      writer.append(kind.rawValue)
      body(&writer)
    }
  }
}
