/// The value of `If-Match` or `If-None-Match`: `*` or a list of entity tags (RFC 9110, 13.1).
public struct EntityTagList: Sendable {
  private struct Tag: Sendable {
    let isWeak: Bool
    /// What is between the quotes, without what tells the coding.
    let opaque: ArraySlice<UInt8>
    let coding: ContentCoding
  }

  /// Whether it is `*`, which any existing version matches.
  public let isAny: Bool
  private let tags: [Tag]

  /// What is between the quotes of the strong tags, whatever the coding they are of; none for `*`.
  ///
  /// Only they match in `If-Match` (RFC 9110, 13.1.1).
  public var strongTags: [ArraySlice<UInt8>] { tags.filter { !$0.isWeak }.map(\.opaque) }

  /// What is between the quotes of all tags, as ``strongTags``: a weak comparison takes either
  /// (RFC 9110, 8.8.3.2).
  public var opaqueTags: [ArraySlice<UInt8>] { tags.map(\.opaque) }

  /// Reads the field; nil if it is absent or malformed.
  ///
  /// A tag may contain commas, so the list is read from quote to quote rather than split.
  public init?(_ fields: Fields, _ name: FieldName) {
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
      guard rest.first == UInt8(ascii: "\""),
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

  /// In which coding the client of `If-None-Match` has the version already (RFC 9110, 13.1.2).
  ///
  /// - Parameters:
  ///   - opaque: What is between the quotes of the current version's tag as it is.
  ///   - codings: What the client takes.
  /// - Returns: The coding that it prefers, if it has the version in that, else another it has it
  ///   in; nil if it has it in none.
  public func coding(
    ofHeld opaque: some Collection<UInt8>,
    by codings: AcceptedCodings
  ) -> ContentCoding? {
    guard !isAny else { return .identity }
    let held = tags.filter { $0.opaque.elementsEqual(opaque) }.map(\.coding)
    let wanted = codings.prefersGzip ? ContentCoding.gzip : .identity
    return held.contains(wanted) ? wanted : held.first
  }
}
