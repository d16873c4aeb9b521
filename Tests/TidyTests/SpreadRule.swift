/// Finds types that are spread over too many files.
///
/// A file counts once for each type that it declares or extends at the top level. A nested type
/// counts for the type around it.
///
/// Types of the same name in different modules are different types. An extension in a module that
/// declares the name belongs to the module's own type. An extension in another module belongs to
/// the type of each imported module that declares the name.
enum SpreadRule {
  static let maxFiles = 8

  static func findings(in sources: [SourceText]) -> [Finding] {
    files(in: sources).sorted { $0.key < $1.key }.compactMap { name, lists in
      let paths = lists.max { $0.count < $1.count }?.sorted() ?? []
      guard let first = paths.first, paths.count > maxFiles else { return nil }
      let message = "\(name) is in \(paths.count) files, more than \(maxFiles)"
      return Finding(path: first, line: 1, message: message)
    }
  }

  /// Returns the files of the product that declare or extend each type, by its name.
  ///
  /// A name has several lists of files if several modules declare a type of this name.
  private static func files(in sources: [SourceText]) -> [String: [Set<String>]] {
    var mentions: [String: [Mention]] = [:]
    for source in sources where source.isProduct {
      let imports = Set(source.code.compactMap(importedModule))
      for line in source.code {
        guard let (name, isDeclared) = type(line) else { continue }
        let mention = Mention(
          module: source.target,
          path: source.path,
          isDeclaration: isDeclared,
          imports: imports
        )
        mentions[name, default: []].append(mention)
      }
    }
    return mentions.mapValues(filesByType)
  }

  /// Returns the files of each type of one name.
  private static func filesByType(_ mentions: [Mention]) -> [Set<String>] {
    let declaring = Set(mentions.filter(\.isDeclaration).map(\.module))
    guard !declaring.isEmpty else { return [Set(mentions.map(\.path))] }
    return declaring.map { module in
      let own = mentions.filter { mention in
        mention.module == module
          || !declaring.contains(mention.module) && mention.imports.contains(module)
      }
      return Set(own.map(\.path))
    }
  }

  /// Returns the module that a line imports; nil if it imports none.
  private static func importedModule(_ line: String) -> String? {
    let words = line.split(separator: " ")
    guard let place = words.firstIndex(of: "import"), place <= 2 else { return nil }
    return words.dropFirst(place + 1).first.map(String.init)
  }

  /// A declaration or an extension of a type.
  private struct Mention {
    var module: String
    var path: String
    var isDeclaration: Bool
    /// The modules that the file imports.
    var imports: Set<String>
  }

  /// Returns the type that a line declares or extends at the top level; nil if there is none.
  ///
  /// Types that only their file can use are left out.
  private static func type(_ line: String) -> (name: String, isDeclared: Bool)? {
    guard line.first.map({ $0.isLetter || $0 == "@" }) == true else { return nil }
    let words = line.split(separator: " ").drop { $0.hasPrefix("@") || modifiers.contains($0) }
    guard let keyword = words.first, keywords.contains(keyword) else { return nil }
    guard let word = words.dropFirst().first(where: { !$0.hasPrefix("@") }) else { return nil }
    let name = String(word.prefix { $0.isLetter || $0.isNumber || $0 == "_" })
    return (name, keyword != "extension")
  }

  private static let modifiers: Set<Substring> = [
    "public", "package", "internal", "final", "indirect",
  ]
  private static let keywords: Set<Substring> = [
    "struct", "enum", "class", "actor", "protocol", "extension",
  ]
}
