/// Finds the names of requests and answers in the code.
enum NameScan {
  /// A name and its place in the code.
  struct Name: Equatable, Sendable {
    let text: String
    let path: String
    /// The line, counted from 1.
    let line: Int
  }

  /// Returns the raw values of every `enum` of this name, in order, or its cases if they have none.
  static func values(of name: String, in sources: [SourceText]) -> [Name] {
    sources.flatMap { values(of: name, in: $0) }
  }

  /// Returns the JSON members that a file writes. A call of `origin` writes two.
  static func writtenMembers(in source: SourceText) -> [Name] {
    source.code.indices.flatMap { line -> [Name] in
      let texts =
        if source.code[line].contains("writer.origin(") {
          [source.code[line].contains("(tree,") ? "tree" : "session", "revision"]
        } else if ["writer.name(", "writer.member("].contains(where: source.code[line].contains) {
          [quoted(source.lines[line])].compactMap { $0 }
        } else if source.lines[line].contains("put(#\"") {
          namesBeforeColons(source.lines[line])
        } else {
          [String]()
        }
      return texts.map { Name(text: $0, path: source.path, line: line + 1) }
    }
  }

  private static func values(of name: String, in source: SourceText) -> [Name] {
    guard let start = source.code.firstIndex(where: { declares(name, $0) }) else { return [] }
    let indentation = source.code[start].prefix { $0 == " " }
    let body = source.code[(start + 1)...].prefix { !$0.hasPrefix(indentation + "}") }
    return body.indices.filter { source.code[$0].hasPrefix(indentation + "  case ") }
      .flatMap { line in
        rawValues(source.lines[line].trimmed).map {
          Name(text: $0, path: source.path, line: line + 1)
        }
      }
  }

  private static func declares(_ name: String, _ line: String) -> Bool {
    guard line.utf8.contains(UInt8(ascii: ":")), line.contains("enum " + name) else { return false }
    let words = line.words
    let isNamed = zip(words, words.dropFirst()).contains { $0 == "enum" && $1 == name }
    return isNamed && (words.contains("String") || words.contains("CaseIterable"))
  }

  /// Returns the raw values of a line such as `case one, two = "2"`.
  private static func rawValues(_ line: String) -> [String] {
    line.dropFirst("case ".count).split(separator: ",").map {
      quoted(String($0)) ?? String($0).trimmed
    }
  }

  /// Returns the first quoted text of a line.
  private static func quoted(_ line: String) -> String? {
    let parts = line.split(separator: "\"", omittingEmptySubsequences: false)
    return parts.count > 1 ? String(parts[1]) : nil
  }

  /// Returns the quoted texts before a colon, which are members in a piece of JSON.
  private static func namesBeforeColons(_ line: String) -> [String] {
    let parts = line.split(separator: "\"", omittingEmptySubsequences: false)
    return zip(parts, parts.dropFirst()).filter { $1.hasPrefix(":") }.map { String($0.0) }
  }
}
