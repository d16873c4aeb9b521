/// What the comments of certain declarations have to say.
enum CommentRule {
  /// Every public function of the engine states its complexity.
  static func complexityFindings(in source: SourceText) -> [Finding] {
    guard source.target == "TreeEngine" && source.isProduct else { return [] }
    return source.code.indices.filter { isPublicFunction(source.code[$0]) }.compactMap { line in
      guard !comment(above: line, in: source).contains("- Complexity:") else { return nil }
      return source.finding(line: line, "a public function of the engine states `- Complexity:`")
    }
  }

  /// Every reason to refuse a request names the RFC's section, or says that it is practice.
  static func rejectionFindings(in source: SourceText) -> [Finding] {
    guard let start = source.code.firstIndex(where: isRejectionEnum) else { return [] }
    let body = source.code[start...].prefix { !$0.hasPrefix("}") }
    return body.indices.filter { source.code[$0].hasPrefix("  case ") }.compactMap { line in
      let text = comment(above: line, in: source)
      guard !text.contains("RFC ") && !text.contains("practice") else { return nil }
      return source.finding(line: line, "the rule names neither an RFC's section nor practice")
    }
  }

  private static func isPublicFunction(_ line: String) -> Bool {
    let words = line.words
    guard words.contains("public"), FunctionScan.isDeclaration(line) else { return false }
    return words.contains("func") || words.contains("subscript")
  }

  private static func isRejectionEnum(_ line: String) -> Bool {
    let words = line.words
    return zip(words, words.dropFirst()).contains { $0 == "enum" && $1 == "RequestRejection" }
  }

  /// The doc comment above a declaration, attributes between them skipped.
  private static func comment(above line: Int, in source: SourceText) -> String {
    let above = source.lines[..<line].reversed().map(\.trimmed)
    return above.drop { $0.hasPrefix("@") }.prefix { $0.hasPrefix("///") }.joined(separator: "\n")
  }
}
