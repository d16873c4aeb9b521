/// Finds imports that the architecture does not allow.
enum ImportRule {
  /// The modules that each target may import. Every target has an entry.
  static let allowed: [String: Set<String>] = [
    "CLinux": [],
    "JSON": [],
    "HTTP": [],
    "CPrefetch": [],
    "TreeEngine": ["CPrefetch", "Synchronization"],
    "Coding": ["CZlib"],
    "HTTPServer": ["HTTP", "Coding", "CLinux", "Glibc", "Synchronization"],
    "TreeDomain": ["TreeEngine", "JSON", "Synchronization"],
    "CSQLite": [],
    "CCurl": [],
    "CPostgres": [],
    "CZlib": [],
    "TreeStorage": [
      "TreeDomain", "JSON", "CSQLite", "CPostgres", "CZlib", "CLinux", "Glibc", "Synchronization",
    ],
    "TreeSessions": ["TreeDomain", "TreeEngine", "JSON", "Glibc", "Synchronization"],
    "CEmbedded": [],
    "TreeWeb": ["CEmbedded"],
    "TreeClient": [
      "CCurl", "Foundation", "FoundationNetworking", "Observation", "Synchronization",
    ],
    "TreeAPI": ["HTTP", "TreeDomain", "TreeWeb", "JSON", "Synchronization"],
    "TreeCluster": [
      "TreeAPI", "TreeDomain", "TreeSessions", "TreeStorage", "Glibc", "Synchronization",
    ],
    "Composition": [
      "HTTP", "HTTPServer", "JSON", "TreeAPI", "TreeCluster", "TreeDomain", "TreeEngine",
      "TreeSessions", "TreeStorage", "CLinux", "Glibc", "Synchronization",
    ],
    "tree-server": ["Composition", "Glibc"],
    "tree-bench": [
      "Composition", "HTTP", "HTTPServer", "JSON", "TreeDomain", "TreeEngine", "TreeSessions",
      "TreeStorage", "CSQLite", "CLinux", "Glibc", "Synchronization",
    ],
  ]

  static func findings(in source: SourceText) -> [Finding] {
    guard source.isProduct else { return [] }
    guard let modules = allowed[source.target] else {
      return [source.finding(line: 0, "\(source.target) is not in the table of imports")]
    }
    return source.code.enumerated().compactMap { index, line in
      guard let module = importedModule(line), !modules.contains(module) else { return nil }
      return source.finding(line: index, "\(source.target) may not import \(module)")
    }
  }

  /// Returns the module that a line imports, or nil if it is no import.
  static func importedModule(_ line: String) -> String? {
    let tokens = line.split { $0 == " " || $0 == "." }.map(String.init)
    guard let keyword = tokens.firstIndex(of: "import") else { return nil }
    let isImport = tokens[..<keyword].allSatisfy {
      ["public", "package", "internal", "fileprivate", "private"].contains($0) || $0.hasPrefix("@")
    }
    let kinds: Set = ["struct", "class", "enum", "protocol", "typealias", "func", "let", "var"]
    return isImport ? tokens[(keyword + 1)...].first { !kinds.contains($0) } : nil
  }
}
