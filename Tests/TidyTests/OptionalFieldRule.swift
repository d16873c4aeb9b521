/// What is not to be assigned to: a field of an optional value that is stored in a noncopyable one.
///
/// Swift 6.3 does not let go of what was in the field before, as of `journal?.last = …` where
/// `journal` is stored in a `~Copyable` struct; through a mutating method, `journal?.settle()`, it
/// does. A rule that reads lines cannot know what is copyable, so it asks for the method everywhere
/// but in the files listed.
enum OptionalFieldRule {
  /// How the paths of files begin whose optional values are stored in copyable ones.
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

  /// Whether a line has an assignment to something behind a `?.` or `!.`, outside of a subscript's
  /// element, which is copied out and in.
  private static func assigns(_ line: String) -> Bool {
    let target = #/(?:^|[{;])\s*(?:\w+\.)*\w+[?!]\.[\w.?!]+ = /#
    return line.contains(target)
  }
}
