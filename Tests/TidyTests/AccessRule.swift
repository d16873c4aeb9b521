/// Finds declarations that are visible outside the package without a reason.
///
/// The products are for other packages. All else that a module offers to others is `package`.
/// The compiler inlines functions into other modules only if they are public, so that what every
/// row or member of a request uses is public, too.
enum AccessRule {
  /// The modules that may have public declarations, with their reasons.
  static let modules: [String: String] = [
    "TreeClient": "a product",
    "TreeEngine": "a product",
    "JSON": "inlined into what reads and writes JSON",
    "FuzzTargets": "called by a program outside the package",
    "Fuzzer": "called by libFuzzer",
  ]

  /// The other files that may have public declarations, with their reasons.
  static let files: [String: String] = [
    "Sources/HTTP/ASCII.swift": "inlined where names are compared",
    "Sources/HTTP/FieldName.swift": "inlined where fields are looked up",
    "Sources/HTTP/Fields.swift": "inlined where fields are looked up",
    "Sources/TreeDomain/Answers/Row+Write.swift": "inlined where rows are written",
    "Sources/TreeDomain/Answers/Row.swift": "inlined where rows are written",
    "Sources/TreeDomain/Answers/RowFields.swift": "inlined where rows are written",
    "Sources/TreeDomain/Answers/RowPlace.swift": "inlined where rows are written",
    "Sources/TreeDomain/Vocabulary/ByteSlice.swift": "inlined where keys are looked up",
  ]

  static func findings(in source: SourceText) -> [Finding] {
    guard modules[source.target] == nil, files[source.path] == nil else { return [] }
    return source.code.indices.filter { isPublic(source.code[$0]) }.map {
      source.finding(line: $0, "public, although AccessRule.swift gives no reason; use package")
    }
  }

  /// Returns true if a line has a declaration or an import that is public.
  static func isPublic(_ line: String) -> Bool {
    line.hasWord("public") || line.contains("open class ")
  }
}
