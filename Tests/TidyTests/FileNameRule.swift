/// Finds files that are not named after the type they declare or extend: `Type.swift`,
/// `Type+Verb.swift`.
///
/// A file of functions, or of extensions of foreign types only, is named after its subject.
enum FileNameRule {
  static func findings(in source: SourceText) -> [Finding] {
    let file = source.path.split(separator: "/").last ?? ""
    guard source.isProduct, file != "main.swift" else { return [] }
    let name = file.dropLast(".swift".count).prefix { $0 != "+" }
    guard file.contains("+") || source.code.contains(where: declaresForOthers) else { return [] }
    guard !source.code.contains(where: { declares(name, $0) }) else { return [] }
    return [source.finding(line: 0, "nothing in the file is called \(name)")]
  }

  /// Returns true if a line declares or extends something of this name, ignoring the case of its
  /// first letter.
  private static func declares(_ name: Substring, _ line: String) -> Bool {
    let words = line.words
    return zip(words, words.dropFirst()).contains { keyword, word in
      keywords.contains(keyword) && word.dropFirst() == name.dropFirst()
        && word.first?.lowercased() == name.first?.lowercased()
    }
  }

  /// Returns true if a line declares a type at the top level that other files can use.
  private static func declaresForOthers(_ line: String) -> Bool {
    let words = line.split(separator: " ").drop { $0.hasPrefix("@") }.map {
      $0.prefix { $0 != "(" }
    }
    let keyword = words.first { !["public", "package", "internal", "final"].contains($0) }
    guard let keyword, !line.hasPrefix(" ") else { return false }
    return keywords.contains(keyword) && keyword != "extension" && keyword != "func"
  }

  private static let keywords: Set<Substring> = [
    "struct", "enum", "class", "actor", "protocol", "extension", "typealias", "func", "macro",
  ]
}
