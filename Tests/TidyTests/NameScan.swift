/// Finds the names that the code has for what clients send and get.
enum NameScan {
  /// A name with where it is declared or written.
  struct Name: Equatable, Sendable {
    let text: String
    let path: String
    /// The line, counted from 1.
    let line: Int
  }

  /// The raw values of every `enum` of this name, in order, or its cases where they are numbers.
  static func values(of name: String, in sources: [SourceText]) -> [Name] {
    sources.flatMap { values(of: name, in: $0) }
  }

  /// The members of JSON objects that a file writes, `origin` standing for the two it writes.
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

  /// The raw values of a line such as `case one, two = "2"`.
  private static func rawValues(_ line: String) -> [String] {
    line.dropFirst("case ".count).split(separator: ",").map {
      quoted(String($0)) ?? String($0).trimmed
    }
  }

  /// The first text in quotes.
  private static func quoted(_ line: String) -> String? {
    let parts = line.split(separator: "\"", omittingEmptySubsequences: false)
    return parts.count > 1 ? String(parts[1]) : nil
  }

  /// The texts in quotes behind which a colon stands: members in a piece of JSON.
  private static func namesBeforeColons(_ line: String) -> [String] {
    let parts = line.split(separator: "\"", omittingEmptySubsequences: false)
    return zip(parts, parts.dropFirst()).filter { $1.hasPrefix(":") }.map { String($0.0) }
  }
}
