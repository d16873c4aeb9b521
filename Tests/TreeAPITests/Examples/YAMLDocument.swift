import Foundation

/// A parser of the subset of YAML that `openapi.yaml` uses.
///
/// It parses mappings and sequences in block style, scalars in all styles, and flow sequences of
/// plain scalars. Values have the types of `JSONSerialization`.
struct YAMLDocument {
  private var lines: [(indentation: Int, text: Substring)]
  private var place = 0

  /// Returns the members of the mapping in a text.
  static func members(of text: String) -> [String: Any] {
    var document = Self(
      lines: text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
        let indentation = line.prefix { $0 == " " }.count
        return (indentation, line.dropFirst(indentation))
      }
    )
    return document.value(from: 0) as? [String: Any] ?? [:]
  }

  /// Parses a value whose first line is indented by at least `indentation` spaces.
  private mutating func value(from indentation: Int) -> Any {
    skipEmpty()
    guard place < lines.count, lines[place].indentation >= indentation else { return NSNull() }
    let (level, text) = lines[place]
    if text.hasPrefix("- ") { return sequence(at: level) }
    if Self.member(text) != nil { return mapping(at: level) }
    place += 1
    return Self.scalar(text)
  }

  private mutating func sequence(at level: Int) -> [Any] {
    var items: [Any] = []
    while hasLine(at: level), lines[place].text.hasPrefix("- ") {
      lines[place] = (level + 2, lines[place].text.dropFirst(2))
      items.append(value(from: level + 2))
      skipEmpty()
    }
    return items
  }

  private mutating func mapping(at level: Int) -> [String: Any] {
    var members: [String: Any] = [:]
    while hasLine(at: level), let (name, text) = Self.member(lines[place].text) {
      place += 1
      members[name] = value(of: text, at: level)
      skipEmpty()
    }
    return members
  }

  /// Parses the value of a member whose first line has the given text.
  private mutating func value(of text: Substring, at level: Int) -> Any {
    switch text.first {
    case nil:
      skipEmpty()
      // A sequence may have the indentation of the member's name.
      let isSequence = hasLine(at: level) && lines[place].text.hasPrefix("- ")
      return value(from: isSequence ? level : level + 1)
    case "|": return block(below: level).map { $0 + "\n" }.joined()
    case ">": return block(below: level).joined(separator: " ")
    case "'", "\"", "[", "{": return Self.scalar(text)
    default:
      let rest = block(below: level).map { $0.trimmingPrefix { $0 == " " } }
      return rest.isEmpty ? Self.scalar(text) : ([text] + rest).joined(separator: " ")
    }
  }

  /// Consumes the lines that are indented deeper than a level, and removes the indentation of the
  /// first.
  private mutating func block(below level: Int) -> [Substring] {
    let first = place
    while place < lines.count, lines[place].text.isEmpty || lines[place].indentation > level {
      place += 1
    }
    while place > first, lines[place - 1].text.isEmpty { place -= 1 }
    let indentation = lines[first..<place].first?.indentation ?? 0
    return lines[first..<place].map {
      String(repeating: " ", count: max($0.indentation - indentation, 0)) + $0.text
    }.map { $0[...] }
  }

  private mutating func skipEmpty() {
    while place < lines.count, lines[place].text.isEmpty || lines[place].text.hasPrefix("#") {
      place += 1
    }
  }

  private func hasLine(at level: Int) -> Bool {
    place < lines.count && lines[place].indentation == level
  }

  /// Returns the name and the text of a line `name: text`.
  private static func member(_ line: Substring) -> (name: String, text: Substring)? {
    if let quote = line.first, quote == "'" || quote == "\"" {
      guard let end = line.dropFirst().firstIndex(of: quote) else { return nil }
      let rest = line[line.index(after: end)...]
      guard rest.hasPrefix(":") else { return nil }
      let name = line[..<end].dropFirst()
      return (String(name), rest.dropFirst().trimmingPrefix { $0 == " " })
    }
    if line.hasSuffix(":") { return (String(line.dropLast()), "") }
    guard !line.hasPrefix("["), !line.hasPrefix("{"), let colon = line.firstRange(of: ": ") else {
      return nil
    }
    return (String(line[..<colon.lowerBound]), line[colon.upperBound...])
  }

  private static func scalar(_ text: Substring) -> Any {
    switch text {
    case "null": return NSNull()
    case "true": return true
    case "false": return false
    case "{}": return [String: Any]()
    default: break
    }
    if text.hasPrefix("[") {
      return text.dropFirst().dropLast().split(separator: ", ").map { scalar($0) }
    }
    if text.hasPrefix("'") { return String(text.dropFirst().dropLast()).replacing("''", with: "'") }
    if text.hasPrefix("\"") {
      let options = JSONSerialization.ReadingOptions.fragmentsAllowed
      return (try? JSONSerialization.jsonObject(with: Data(text.utf8), options: options)) ?? ""
    }
    if let number = Int(text) { return number }
    return Double(text) ?? String(text)
  }
}
