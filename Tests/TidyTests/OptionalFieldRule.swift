/// Finds assignments to a field of an optional value. They leak if the value is stored in a
/// noncopyable one.
///
/// Swift 6.3 does not release the former value of the field, for example with `journal?.last = …`
/// where `journal` is stored in a `~Copyable` struct. A mutating method of the value does. A rule
/// for lines cannot know the type, so it applies to all files except those listed.
enum OptionalFieldRule {
  /// The beginnings of paths of files whose optional values are stored in copyable ones.
  static let exempt = [
    "Sources/HTTP/ConnectionState",
    "Sources/TreeDomain/Decoding/NewSession+Decode.swift",
    "Sources/TreeEngine/History/PastView.swift", "Sources/TreeEngine/RowDelta/RowSplice.swift",
  ]

  static func findings(in source: SourceText) -> [Finding] {
    guard source.isProduct, !exempt.contains(where: source.path.hasPrefix) else { return [] }
    return source.code.enumerated().filter { assigns($0.element) }.map {
      source.finding(line: $0.offset, "a mutating method of the optional value sets its field")
    }
  }

  /// Returns true if a line assigns to a member behind `?.` or `!.`. An element behind a subscript
  /// is exempt, as it is copied out and in.
  private static func assigns(_ line: String) -> Bool {
    let target = #/(?:^|[{;])\s*(?:\w+\.)*\w+[?!]\.[\w.?!]+ = /#
    return line.contains(target)
  }
}
