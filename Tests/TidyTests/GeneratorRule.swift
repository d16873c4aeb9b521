/// Finds parts of `openapi.yaml` that generators of clients do not understand.
enum GeneratorRule {
  /// The keywords of JSON Schema that common generators drop or misread.
  private static let misread: Set = [
    "anyOf", "contains", "dependentRequired", "dependentSchemas", "else", "if", "not",
    "patternProperties", "then", "unevaluatedProperties", "uniqueItems",
  ]

  /// A line of the description, with its member and its indentation.
  private struct Line {
    var number: Int
    var level: Int
    var name: String
    var text: String
    /// True for the first member of an item of a list.
    var isItem: Bool

    init(_ line: String, number: Int) {
      text = line.trimmed
      isItem = text.hasPrefix("- ")
      if isItem { text = String(text.dropFirst(2)) }
      level = line.prefix { $0 == " " }.count + (isItem ? 2 : 0)
      name = String(text.prefix { $0 != ":" })
      self.number = number
    }
  }

  /// Finds schemas that common generators drop, misread, or have to invent a name for.
  static func findings(in text: String) -> [Finding] {
    let lines = splitLines(Array(text.utf8)).enumerated().map { Line($1, number: $0 + 1) }
    var parents: [Line] = []
    var findings: [Finding] = []
    var proseLevel: Int?
    for (index, line) in lines.enumerated() where !line.text.isEmpty {
      if let level = proseLevel, line.level > level { continue }
      proseLevel = line.text.hasSuffix(": |") || line.text.hasSuffix(": >-") ? line.level : nil
      parents.removeAll { $0.level >= line.level }
      let parent = parents.last?.name
      let siblings = siblings(of: index, in: lines)
      if parent != "properties", let message = message(about: line, siblings, parents) {
        findings.append(Finding(path: "openapi.yaml", line: line.number, message: message))
      }
      parents.append(line)
    }
    return findings
  }

  private static func message(
    about line: Line,
    _ siblings: Set<String>,
    _ parents: [Line]
  ) -> String? {
    guard !parents.contains(where: { $0.name == "example" || $0.name == "examples" }) else {
      return nil
    }
    switch line.name {
    case _ where misread.contains(line.name) && line.text.hasPrefix(line.name + ":"):
      return "\(line.name) is not understood by generators"
    case "const" where !siblings.contains("type"): return "const has no type beside it"
    case "enum" where line.level > 6 && !siblings.contains("title"):
      return "the enumeration has no name"
    case "allOf" where siblings.contains("properties"):
      return "generators drop what stands beside allOf"
    default: return nil
    }
  }

  /// Returns the member names of the schema that contains a line.
  private static func siblings(of index: Int, in lines: [Line]) -> Set<String> {
    let level = lines[index].level
    var first = index
    while first > 0, !lines[first].isItem || lines[first].level > level,
      lines[first - 1].level >= level || lines[first - 1].text.isEmpty
    { first -= 1 }
    let rest = lines[(index + 1)...].prefix {
      $0.text.isEmpty || $0.level > level || $0.level == level && !$0.isItem
    }
    return Set((lines[first...index] + rest).filter { $0.level == level }.map(\.name))
  }
}
