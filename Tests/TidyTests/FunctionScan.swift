/// Finds functions, initializers, subscripts and computed properties by their braces.
enum FunctionScan {
  /// Returns the lines of each function with a body, from its signature to its closing brace.
  ///
  /// - Parameter code: Lines in which comments and strings are blanked.
  static func functions(in code: [String]) -> [Range<Int>] {
    code.indices.compactMap { line in
      guard isDeclaration(code[line]), let end = bodyEnd(from: line, in: code) else { return nil }
      return line..<end + 1
    }
  }

  /// Returns true if a line begins the declaration of something that can have a body.
  static func isDeclaration(_ line: String) -> Bool {
    let tokens = line.split(separator: " ").drop { modifiers.contains($0) || $0.hasPrefix("@") }
    guard let first = tokens.first else { return false }
    if first == "func" || first == "deinit" { return true }
    if first == "var" { return line.hasSuffix("{") && !line.contains(" = ") }
    let isCall = first.prefix { $0.isLetter }
    return (isCall == "init" || isCall == "subscript") && first.count > isCall.count
  }

  private static let modifiers: Set<Substring> = [
    "public", "package", "internal", "fileprivate", "private", "static", "class", "final",
    "mutating", "nonmutating", "consuming", "borrowing", "override", "convenience", "required",
    "nonisolated", "indirect", "prefix", "postfix", "infix",
  ]

  /// Returns the line of the closing brace of a body; nil if the signature has no body.
  private static func bodyEnd(from start: Int, in code: [String]) -> Int? {
    var parentheses = 0
    var braces = 0
    for line in start..<code.count {
      for character in code[line] {
        switch character {
        case "(", "[": parentheses += 1
        case ")", "]": parentheses -= 1
        case "{" where parentheses == 0 || braces > 0: braces += 1
        case "}" where braces > 0:
          braces -= 1
          if braces == 0 { return line }
        case "}" where parentheses == 0: return nil
        default: break
        }
      }
      guard braces == 0, parentheses == 0 else { continue }
      if !signatureContinues(after: line, in: code) { return nil }
    }
    return nil
  }

  private static func signatureContinues(after line: Int, in code: [String]) -> Bool {
    guard line + 1 < code.count else { return false }
    let end = code[line].trimmed
    if ["->", "where", ",", "&"].contains(where: end.hasSuffix) { return true }
    let next = code[line + 1].trimmed
    return ["{", "->", "throws", "async", "where"].contains(where: next.hasPrefix)
  }
}
