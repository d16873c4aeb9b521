/// What a request is about: path segments and query, each percent-decoded once, after it was split.
///
/// Because splitting comes first, `%2F` is data inside a segment and never a separator. Every part
/// is valid UTF-8 without NUL.
public struct Target: Sendable {
  /// How the target was written (RFC 9112, 3.2).
  public enum Form: Sendable {
    /// A path, as usual.
    case origin
    /// A whole URI, as sent to proxies; its authority replaces `Host`.
    case absolute
    /// `*`, which only OPTIONS may use, or a whole URI with neither path nor query, which means the
    /// same with it.
    case asterisk
  }

  /// One `name=value` of the query; the value is empty where there is no `=`.
  public struct QueryItem: Sendable {
    /// The decoded name.
    public let name: ArraySlice<UInt8>
    /// The decoded value, a `+` as a space.
    public let value: ArraySlice<UInt8>
  }

  private let bytes: [UInt8]
  private let layout: TargetLayout

  init(bytes: [UInt8], layout: TargetLayout) {
    self.bytes = bytes
    self.layout = layout
  }

  /// How the target was written.
  public var form: Form { layout.form }

  /// The target as it was received.
  public var raw: ArraySlice<UInt8> { bytes[layout.raw] }

  /// The target as it was received, up to the query.
  var rawPath: ArraySlice<UInt8> { raw.prefix { $0 != UInt8(ascii: "?") } }

  /// The path as it was received, without what comes before it in absolute form.
  public var path: ArraySlice<UInt8> {
    rawPath[(layout.authority?.upperBound ?? layout.raw.lowerBound)...]
  }

  /// The host and port of a target in absolute form.
  var authority: ArraySlice<UInt8>? { layout.authority.map { bytes[$0] } }

  /// Whether it names an `https` resource, of which there is none where nothing is encrypted.
  var isSecure: Bool { layout.isSecure }

  /// The number of path segments: `/` has one, which is empty; `*` has none.
  public var segmentCount: Int { layout.segments.count }

  /// The decoded path segment at an index in 0..<`segmentCount`.
  public func segment(at index: Int) -> ArraySlice<UInt8> { bytes[layout.segments[index]] }

  /// Whether the path segment at an index in 0..<`segmentCount` is this one.
  func isSegment(at index: Int, _ other: [UInt8]) -> Bool {
    let segment = layout.segments[index]
    guard segment.count == other.count else { return false }
    let (text, other) = (bytes.span.extracting(segment), other.span)
    for place in other.indices where text[place] != other[place] { return false }
    return true
  }

  /// The number of items of the query, repeated names included.
  public var queryCount: Int { layout.query.count }

  /// The item of the query at an index in 0..<`queryCount`, in order.
  public func queryItem(at index: Int) -> QueryItem {
    let item = layout.query[index]
    return QueryItem(name: bytes[item.name], value: bytes[item.value])
  }
}
