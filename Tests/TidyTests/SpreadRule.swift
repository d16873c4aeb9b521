/// Finds types that are spread over too many files.
///
/// A file counts once for each type that it declares or extends at the top level. A nested type
/// counts for the type around it.
enum SpreadRule {
  static let maxFiles = 8

  /// The types in more files, with their present numbers of files, which may only fall.
  static let exceptions: [String: Int] = [
    "ChangeList": 12,
    "Configuration": 14,
    "ConnectionState": 9,
    "Forest": 11,
    "RangeMinTree": 10,
    "SQLiteConnection": 12,
    "SQLiteStorage": 10,
    "SessionStore": 11,
    "SizedTree": 44,
  ]

  static func findings(
    in sources: [SourceText],
    exceptions: [String: Int] = exceptions
  ) -> [Finding] {
    let files = files(in: sources)
    let names = Set(files.keys).union(exceptions.keys)
    return names.sorted().compactMap { name in
      let paths = (files[name] ?? []).sorted()
      let most = exceptions[name] ?? maxFiles
      if paths.count > most {
        return finding(name, in: paths, "more than \(most)")
      }
      guard exceptions[name] != nil, paths.count < most else { return nil }
      return finding(name, in: paths, "fewer than \(most); update SpreadRule.swift")
    }
  }

  private static func finding(_ name: String, in paths: [String], _ excess: String) -> Finding {
    Finding(
      path: paths.first ?? "",
      line: 1,
      message: "\(name) is in \(paths.count) files, \(excess)"
    )
  }

  /// Returns the files of the product that declare or extend each type.
  private static func files(in sources: [SourceText]) -> [String: Set<String>] {
    var files: [String: Set<String>] = [:]
    for source in sources where source.isProduct {
      for line in source.code {
        if let name = typeName(line) { files[name, default: []].insert(source.path) }
      }
    }
    return files
  }

  /// Returns the type that a line declares or extends at the top level; nil if there is none.
  ///
  /// Types that only their file can use are left out.
  private static func typeName(_ line: String) -> String? {
    guard line.first.map({ $0.isLetter || $0 == "@" }) == true else { return nil }
    let words = line.split(separator: " ").drop { $0.hasPrefix("@") || modifiers.contains($0) }
    guard let keyword = words.first, keywords.contains(keyword) else { return nil }
    let name = words.dropFirst().first { !$0.hasPrefix("@") }
    return name.map { String($0.prefix { $0.isLetter || $0.isNumber || $0 == "_" }) }
  }

  private static let modifiers: Set<Substring> = [
    "public", "package", "internal", "final", "indirect",
  ]
  private static let keywords: Set<Substring> = [
    "struct", "enum", "class", "actor", "protocol", "extension",
  ]
}
