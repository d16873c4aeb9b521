import HTTP

// Content negotiation by `Accept` (RFC 9110, 12.5.1). Nearly every client sends the field.
extension MediaType {
  /// Returns the type that a client prefers; among equals the first, nil if it accepts none.
  ///
  /// A field of more than 1 024 bytes is ignored, so that reading it takes little time.
  static func preferred(of types: [MediaType], by fields: Fields) -> MediaType? {
    guard let accept = fields.value(.accept), accept.count <= Fields.maxPreferenceBytes else {
      return types.first
    }
    // The most frequent values are exactly JSON, and anything.
    if types.first == .json, isPlainJSON(accept.span) { return .json }
    if accept.count == 3, accept.elementsEqual("*/*".utf8) { return types.first }
    var best: (type: MediaType, weight: Int)?
    for type in types {
      let weight = type.weight(in: accept)
      if weight > best?.weight ?? 0 { best = (type, weight) }
    }
    return best?.type
  }

  /// Returns the weight of this type in `Accept`, in thousandths.
  ///
  /// The most specific range that covers the type decides. A weight of 0 excludes it. If the field
  /// has no valid range, every type is accepted.
  private func weight(in accept: ArraySlice<UInt8>) -> Int {
    var decision: (rank: Int, weight: Int)?
    var isReadable = false
    forEachListElement(of: accept) { element in
      let end = element.firstIndex(of: UInt8(ascii: ";")) ?? element.endIndex
      let range = trimmingOptionalWhitespace(element[..<end])
      isReadable = isReadable || range.contains(UInt8(ascii: "/"))
      guard let rank = rank(ofRange: range), rank <= decision?.rank ?? rank else { return }
      let weight = Self.weight(ofParameters: element[end...])
      // Among equal ranges the greater weight counts.
      let isRepeated = decision?.rank == rank
      decision = (rank, isRepeated ? max(decision?.weight ?? 0, weight) : weight)
    }
    return decision?.weight ?? (isReadable ? 0 : 1_000)
  }

  /// Returns 0 for a range that is this type, 1 for its group, 2 for `*/*`, and nil for others.
  private func rank(ofRange range: ArraySlice<UInt8>) -> Int? {
    if range.elementsEqual("*/*".utf8) { return 2 }
    if range.equals(ignoringCase: name) { return 0 }
    let group = range.dropLast()
    guard range.last == UInt8(ascii: "*"), group.last == UInt8(ascii: "/") else { return nil }
    return group.equals(ignoringCase: name.prefix { $0 != "/" } + "/") ? 1 : nil
  }

  /// Returns the weight in the parameters of a range, each preceded by its semicolon.
  private static func weight(ofParameters parameters: ArraySlice<UInt8>) -> Int {
    var rest = parameters.dropFirst()
    while !rest.isEmpty {
      let end = endOfPart(of: rest, before: UInt8(ascii: ";"))
      if let written = rest[..<end].value(ofParameter: "q") {
        return Weight.thousandths(written) ?? 1_000
      }
      rest = rest[end...].dropFirst()
    }
    return 1_000
  }
}
