/// The path segments and query of a request, each decoded once, after splitting.
///
/// Because splitting comes first, `%2F` is data inside a segment and never a separator. Every
/// part is valid UTF-8 without NUL.
package struct Target: Sendable {
  /// The form of a request target (RFC 9112, 3.2).
  package enum Form: Sendable {
    /// A path with an optional query, the usual form.
    case origin
    /// A URI, as sent to proxies.
    ///
    /// Its authority replaces `Host`.
    case absolute
    /// The server itself, only for OPTIONS: `*`, or a URI with neither path nor query.
    case asterisk
  }

  /// An item `name=value` of the query.
  ///
  /// The value is empty if there is no `=`.
  package struct QueryItem: Sendable {
    /// The decoded name.
    package let name: ArraySlice<UInt8>
    /// The decoded value, in which `+` is a space.
    package let value: ArraySlice<UInt8>
  }

  private let bytes: [UInt8]
  private let layout: TargetLayout

  init(bytes: [UInt8], layout: TargetLayout) {
    self.bytes = bytes
    self.layout = layout
  }

  /// The form of the target.
  package var form: Form { layout.form }

  /// The target as received.
  package var raw: ArraySlice<UInt8> { bytes[layout.raw] }

  /// The target as received, without the query.
  var rawPath: ArraySlice<UInt8> { raw.prefix { $0 != UInt8(ascii: "?") } }

  /// The path as received, without scheme and authority.
  package var path: ArraySlice<UInt8> {
    rawPath[(layout.authority?.upperBound ?? layout.raw.lowerBound)...]
  }

  /// The host and port of a target in absolute form, else nil.
  var authority: ArraySlice<UInt8>? { layout.authority.map { bytes[$0] } }

  /// True if the target is an `https` URI, which is refused on an unencrypted connection.
  var isSecure: Bool { layout.isSecure }

  /// The number of path segments.
  ///
  /// `/` has one, which is empty; `*` has none.
  package var segmentCount: Int { layout.segments.count }

  /// Returns the decoded path segment at an index in 0..<`segmentCount`.
  package func segment(at index: Int) -> ArraySlice<UInt8> { bytes[layout.segments[index]] }

  /// Returns true if the decoded path segment at an index in 0..<`segmentCount` equals some bytes.
  func isSegment(at index: Int, _ other: [UInt8]) -> Bool {
    let segment = layout.segments[index]
    guard segment.count == other.count else { return false }
    let (text, other) = (bytes.span.extracting(segment), other.span)
    for place in other.indices where text[place] != other[place] { return false }
    return true
  }

  /// The number of query items.
  ///
  /// Repeated names count each time.
  package var queryCount: Int { layout.query.count }

  /// Returns the query item at an index in 0..<`queryCount`, in order.
  package func queryItem(at index: Int) -> QueryItem {
    let item = layout.query[index]
    return QueryItem(name: bytes[item.name], value: bytes[item.value])
  }
}
