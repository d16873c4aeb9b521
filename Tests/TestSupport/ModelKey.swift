/// A node's key, compared by its UTF-8 bytes as the contract asks.
///
/// Not a `String`: Swift compares strings by canonical equivalence, so two different keys could
/// count as one.
package struct ModelKey: Hashable, Comparable, Sendable {
  /// The key's UTF-8.
  package let bytes: [UInt8]

  /// The key with these UTF-8 bytes.
  package init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// The key with this text.
  package init(_ text: String) {
    bytes = Array(text.utf8)
  }

  /// The key percent-encoded as one segment of a path (RFC 3986, section 2.1).
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

  /// Orders keys by bytes, which is the order of their code points.
  package static func < (left: ModelKey, right: ModelKey) -> Bool {
    left.bytes.lexicographicallyPrecedes(right.bytes)
  }

  private static let unreserved = Set(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8
  )
}

extension ModelKey: ExpressibleByStringLiteral, CustomStringConvertible {
  /// The key with this text.
  package init(stringLiteral text: String) {
    self.init(text)
  }

  /// The key's text.
  package var description: String {
    String(decoding: bytes, as: UTF8.self)
  }
}
