/// Rules for the comments of certain declarations.
enum CommentRule {
  /// Finds functions that the engine offers and that do not state their complexity.
  static func complexityFindings(in source: SourceText) -> [Finding] {
    guard source.target == "TreeEngine" && source.isProduct else { return [] }
    return source.code.indices.filter { isOfferedFunction(source.code[$0]) }.compactMap { line in
      guard !comment(above: line, in: source).contains("- Complexity:") else { return nil }
      return source.finding(line: line, "a function of the engine states `- Complexity:`")
    }
  }

  /// Finds declarations that a module offers to others and that have no comment.
  static func documentationFindings(in source: SourceText) -> [Finding] {
    guard source.isProduct else { return [] }
    return source.code.indices.filter { isOffered(source.code[$0]) }.compactMap { line in
      guard comment(above: line, in: source).isEmpty else { return nil }
      return source.finding(line: line, "what a module offers to others has a comment")
    }
  }

  /// Finds reasons to refuse a request that name neither a section of an RFC nor practice.
  static func rejectionFindings(in source: SourceText) -> [Finding] {
    guard let start = source.code.firstIndex(where: isRejectionEnum) else { return [] }
    let body = source.code[start...].prefix { !$0.hasPrefix("}") }
    return body.indices.filter { source.code[$0].hasPrefix("  case ") }.compactMap { line in
      let text = comment(above: line, in: source)
      guard !text.contains("RFC ") && !text.contains("practice") else { return nil }
      return source.finding(line: line, "the rule names neither an RFC's section nor practice")
    }
  }

  /// The words that no doc comment begins with. A verb or a noun phrase says more (Swift API Design
  /// Guidelines).
  static let bannedOpenings: Set<Substring> = [
    "How", "One", "That", "Those", "What", "When", "Where", "Whether", "Which", "Who",
  ]

  /// Finds doc comments that begin with a banned word.
  static func openingFindings(in source: SourceText) -> [Finding] {
    source.comments.indices.compactMap { line in
      let isFirst = line == 0 || !source.comments[line - 1].trimmed.hasPrefix("///")
      let text = source.comments[line].trimmed
      let word = text.dropFirst("/// ".count).prefix { $0.isLetter }
      guard isFirst, text.hasPrefix("/// "), bannedOpenings.contains(word) else { return nil }
      return source.finding(
        line: line,
        "the comment begins with \(word), not with a verb or a noun"
      )
    }
  }

  /// Finds fields of doc comments that are not written as `- Precondition: The tree is empty.`
  static func fieldFindings(in source: SourceText) -> [Finding] {
    source.comments.indices.compactMap { line in
      let comment = source.comments[line].trimmed
      guard comment.hasPrefix("///") else { return nil }
      let text = comment.dropFirst("///".count).drop { $0 == " " }
      if fieldNames.contains(where: { text.hasPrefix($0 + ":") }) {
        return source.finding(line: line, "a field of a comment begins with a hyphen")
      }
      guard text.hasPrefix("- "), let colon = text.firstIndex(of: ":") else { return nil }
      let name = text[..<colon].dropFirst("- ".count).split(separator: " ")
      let value = text[colon...].dropFirst().drop { $0 == " " }
      if let first = name.first, fieldNames.contains(String(first)), name.count > 1 {
        return source.finding(line: line, "the name of a field of a comment is one word")
      }
      let isField = name.count == 1 || name.first == "Parameter"
      guard isField, value.first?.isLowercase == true else { return nil }
      return source.finding(line: line, "a field of a comment begins in lower case")
    }
  }

  /// Finds sentences of comments that are too long.
  static func sentenceFindings(in source: SourceText) -> [Finding] {
    let text = source.comments.map { $0.trimmed.drop { $0 == "/" } }.joined(separator: "\n")
    return DocumentRule.sentenceFindings(in: text, path: source.path)
  }

  /// Finds variables of classes that other files can set and that have no comment.
  ///
  /// A class is shared, so that its state is private unless there is a reason.
  static func stateFindings(in source: SourceText) -> [Finding] {
    guard source.isProduct else { return [] }
    return source.code.indices.filter { isSharedState($0, in: source.code) }.compactMap { line in
      guard comment(above: line, in: source).isEmpty else { return nil }
      return source.finding(line: line, "a variable that other files can set has a comment")
    }
  }

  /// Returns true if a line declares a stored variable of a class at the top level that other files
  /// can set.
  private static func isSharedState(_ line: Int, in code: [String]) -> Bool {
    let words = code[line].words
    let isMember = code[line].hasPrefix("  ") && !code[line].hasPrefix("   ")
    guard isMember, let keyword = words.firstIndex(of: "var") else { return false }
    let modifiers = words[..<keyword]
    guard Set(modifiers).isDisjoint(with: ["private", "fileprivate", "static", "set"]) else {
      return false
    }
    let isComputed = code[line].hasSuffix("{") || code[line].hasSuffix("}")
    guard !isComputed || code[line].contains(" = ") else { return false }
    let type = code[..<line].last { $0.first.map { $0.isLetter } == true }
    return type.map { $0.hasWord("class") || $0.hasWord("actor") } ?? false
  }

  /// The fields, except those that describe parameters.
  private static let fieldNames = [
    "Complexity", "Invariant", "Note", "Postcondition", "Precondition", "Returns", "Throws",
  ]

  private static func isOfferedFunction(_ line: String) -> Bool {
    guard isOffered(line), FunctionScan.isDeclaration(line) else { return false }
    return line.hasWord("func") || line.hasWord("subscript")
  }

  /// Returns true if a line declares something that other modules can use.
  private static func isOffered(_ line: String) -> Bool {
    let words = line.split(separator: " ").drop { $0.hasPrefix("@") }
    let modifiers = words.prefix { !keywords.contains($0.prefix { $0.isLetter }) }
    return modifiers.count < words.count && !modifiers.contains("override")
      && modifiers.contains { $0 == "public" || $0 == "package" }
  }

  /// The words with which declarations begin, after their modifiers.
  private static let keywords: Set<Substring> = [
    "actor", "associatedtype", "class", "enum", "func", "init", "let", "macro", "protocol",
    "struct", "subscript", "typealias", "var",
  ]

  private static func isRejectionEnum(_ line: String) -> Bool {
    let words = line.words
    return zip(words, words.dropFirst()).contains { $0 == "enum" && $1 == "RequestRejection" }
  }

  /// Returns the doc comment above a declaration and its attributes.
  private static func comment(above line: Int, in source: SourceText) -> String {
    let above = source.lines[..<line].reversed().map(\.trimmed)
    return above.drop { $0.hasPrefix("@") }.prefix { $0.hasPrefix("///") }.joined(separator: "\n")
  }
}
