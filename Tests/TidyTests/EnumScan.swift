/// Finds the raw values of an enumeration of strings in the sources.
enum EnumScan {
  /// A raw value with where it is declared.
  struct Value: Equatable, Sendable {
    let text: String
    let path: String
    /// The line, counted from 1.
    let line: Int
  }

  /// The raw values of every `enum` of this name that has any, in order.
  static func values(of name: String, in sources: [SourceText]) -> [Value] {
    sources.flatMap { values(of: name, in: $0) }
  }

  private static func values(of name: String, in source: SourceText) -> [Value] {
    guard let start = source.code.firstIndex(where: { declares(name, $0) }) else { return [] }
    let indentation = source.code[start].prefix { $0 == " " }
    let body = source.code[(start + 1)...].prefix { !$0.hasPrefix(indentation + "}") }
    return body.indices.filter { source.code[$0].hasPrefix(indentation + "  case ") }
      .flatMap { line in
        texts(source.lines[line].trimmed).map {
          Value(text: $0, path: source.path, line: line + 1)
        }
      }
  }

  private static func declares(_ name: String, _ line: String) -> Bool {
    guard line.utf8.contains(UInt8(ascii: ":")), line.contains("enum " + name) else { return false }
    let words = line.words
    let isNamed = zip(words, words.dropFirst()).contains { $0 == "enum" && $1 == name }
    return isNamed && words.contains("String")
  }

  /// The raw values of a line such as `case one, two = "2"`.
  private static func texts(_ line: String) -> [String] {
    line.dropFirst("case ".count).split(separator: ",").map { item in
      let quoted = item.split(separator: "\"", omittingEmptySubsequences: false)
      return quoted.count > 1 ? String(quoted[1]) : String(item).trimmed
    }
  }
}
