/// A coding of content (RFC 9110, 8.4.1), and what versions in it are called.
public enum ContentCoding: Sendable {
  /// The content as it is.
  case identity
  /// RFC 1952.
  case gzip

  /// What the tag of a version ends in, before the closing quote: the bytes differ from coding to
  /// coding, and so must strong tags (RFC 9110, 8.8.3.3).
  var tagSuffix: [UInt8] { self == .gzip ? Self.gzipSuffix : [] }

  private static let gzipSuffix = Array("-gzip".utf8)

  /// The tag of a version in this coding.
  ///
  /// - Parameter opaque: What is between the quotes of the version's tag as it is.
  /// - Returns: The tag, with its quotes.
  public func tag(_ opaque: some Sequence<UInt8>) -> [UInt8] {
    var tag = [UInt8(ascii: "\"")]
    tag += opaque
    tag += tagSuffix
    tag.append(UInt8(ascii: "\""))
    return tag
  }

  /// What a tag between its quotes is the tag of: the version, and its coding.
  static func read(_ opaque: ArraySlice<UInt8>) -> (version: ArraySlice<UInt8>, ContentCoding) {
    guard opaque.count > gzipSuffix.count, opaque.suffix(gzipSuffix.count).elementsEqual(gzipSuffix)
    else { return (opaque, .identity) }
    return (opaque.dropLast(gzipSuffix.count), .gzip)
  }
}
