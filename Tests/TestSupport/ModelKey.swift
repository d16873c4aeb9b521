/// A node's key, which the contract compares by its UTF-8 bytes.
///
/// It is no `String`, as Swift compares strings by canonical equivalence.
package struct ModelKey: Hashable, Comparable, Sendable {
  /// The key's UTF-8.
  package let bytes: [UInt8]

  /// Creates a key from UTF-8 bytes.
  package init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Creates a key from text.
  package init(_ text: String) {
    bytes = Array(text.utf8)
  }

  /// The key, percent-encoded as a path segment (RFC 3986, section 2.1).
  package var pathSegment: String {
    let digits = Array("0123456789ABCDEF".utf8)
    var encoded: [UInt8] = []
    for byte in bytes {
      if ModelKey.unreserved.contains(byte) {
        encoded.append(byte)
      } else {
        encoded += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: encoded, as: UTF8.self)
  }

  /// Compares keys by bytes, which is the order of their code points.
  package static func < (left: ModelKey, right: ModelKey) -> Bool {
    left.bytes.lexicographicallyPrecedes(right.bytes)
  }

  private static let unreserved = Set(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8
  )
}

extension ModelKey: ExpressibleByStringLiteral, CustomStringConvertible {
  /// Creates a key from text.
  package init(stringLiteral text: String) {
    self.init(text)
  }

  /// The key's text.
  package var description: String {
    String(decoding: bytes, as: UTF8.self)
  }
}
