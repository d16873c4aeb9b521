/// The value of `If-Match` or `If-None-Match`: `*` or a list of entity tags (RFC 9110, 13.1).
package struct EntityTagList: Sendable {
  private struct Tag: Sendable {
    let isWeak: Bool
    /// The bytes between the quotes, without the suffix for the coding.
    let opaque: ArraySlice<UInt8>
    let coding: ContentCoding
  }

  /// The maximum number of tags; a longer list is malformed.
  ///
  /// A client has a few versions at most, and reading a long list takes milliseconds.
  package static let maxTags = 100

  /// True if the value is `*`, which matches any existing version.
  package let isAny: Bool
  private let tags: [Tag]

  /// The opaque parts of the strong tags, without the suffix for the coding; none for `*`.
  ///
  /// Only strong tags match in `If-Match` (RFC 9110, 13.1.1).
  package var strongTags: [ArraySlice<UInt8>] { tags.filter { !$0.isWeak }.map(\.opaque) }

  /// The opaque parts of all tags, as in ``strongTags``, for weak comparison (RFC 9110, 8.8.3.2).
  package var opaqueTags: [ArraySlice<UInt8>] { tags.map(\.opaque) }

  /// Parses a field; nil if it is absent or malformed.
  ///
  /// A tag may contain commas, so the list is parsed by quotes and not split.
  package init?(_ fields: Fields, _ name: FieldName) {
    guard let value = fields.combinedValue(name) else { return nil }
    isAny = value == [UInt8(ascii: "*")]
    guard !isAny else {
      tags = []
      return
    }
    var tags: [Tag] = []
    var rest = value[...]
    while true {
      rest = rest.drop { $0.isOptionalWhitespace || $0 == UInt8(ascii: ",") }
      guard !rest.isEmpty else { break }
      let isWeak = rest.starts(with: "W/".utf8)
      if isWeak { rest = rest.dropFirst(2) }
      guard tags.count < Self.maxTags, rest.first == UInt8(ascii: "\""),
        let end = rest.dropFirst().firstIndex(of: UInt8(ascii: "\""))
      else { return nil }
      let (opaque, coding) = ContentCoding.read(rest[(rest.startIndex + 1)..<end])
      tags.append(Tag(isWeak: isWeak, opaque: opaque, coding: coding))
      rest = rest[(end + 1)...].drop(while: \.isOptionalWhitespace)
      guard rest.isEmpty || rest.first == UInt8(ascii: ",") else { return nil }
    }
    guard !tags.isEmpty else { return nil }
    self.tags = tags
  }

  /// Returns the coding in which the client of `If-None-Match` has a version (RFC 9110, 13.1.2).
  ///
  /// - Parameters:
  ///   - opaque: The opaque part of the current version's tag, without a suffix for the coding.
  ///   - codings: The codings that the client accepts.
  /// - Returns: The preferred coding if the client has the version in that, else another one in
  ///   which it has the version; nil if there is none. For `*`, it is ``ContentCoding/identity``.
  package func coding(
    ofHeld opaque: some Collection<UInt8>,
    by codings: AcceptedCodings
  ) -> ContentCoding? {
    guard !isAny else { return .identity }
    let held = tags.filter { $0.opaque.elementsEqual(opaque) }.map(\.coding)
    let wanted = codings.prefersGzip ? ContentCoding.gzip : .identity
    return held.contains(wanted) ? wanted : held.first
  }
}
