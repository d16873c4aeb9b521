/// A content coding (RFC 9110, 8.4.1), and its effect on entity tags.
package enum ContentCoding: Sendable {
  /// No coding.
  case identity
  /// The gzip coding (RFC 1952).
  case gzip

  /// The suffix of an entity tag's opaque part in this coding.
  ///
  /// The bytes differ between codings, so strong tags must differ, too (RFC 9110, 8.8.3.3).
  var tagSuffix: [UInt8] { self == .gzip ? Self.gzipSuffix : [] }

  private static let gzipSuffix = Array("-gzip".utf8)

  /// Returns the entity tag of a version in this coding.
  ///
  /// - Parameter opaque: The opaque part of the unencoded version's tag, without quotes.
  /// - Returns: The tag, with its quotes.
  package func tag(_ opaque: some Sequence<UInt8>) -> [UInt8] {
    var tag = [UInt8(ascii: "\"")]
    tag += opaque
    tag += tagSuffix
    tag.append(UInt8(ascii: "\""))
    return tag
  }

  /// Splits the opaque part of a tag into that of the unencoded version and the coding.
  static func read(_ opaque: ArraySlice<UInt8>) -> (version: ArraySlice<UInt8>, ContentCoding) {
    guard opaque.count > gzipSuffix.count, opaque.suffix(gzipSuffix.count).elementsEqual(gzipSuffix)
    else { return (opaque, .identity) }
    return (opaque.dropLast(gzipSuffix.count), .gzip)
  }
}
