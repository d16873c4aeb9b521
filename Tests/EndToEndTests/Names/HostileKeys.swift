import TestSupport

/// Keys that clients, browsers and proxies may misread in a path.
enum HostileKeys {
  /// The keys that a node can have.
  static let possible =
    [
      "%2e", "%2E%2E", "...", "a/b", "docs/children", "a//b", "/a", "a/",
      "/",
      "\\", "a\\b", "?", "a?b=c", "#", ";x", "+", "a+b", "&", " ", " a", "a ", "😀", "é", "e\u{301}",
      "\u{202E}x", "get", "expand", "batch", "children", "rows", "%00", "%2F", "a%2Fb", "%",
      "http://x",
      "'\"<>`{}|^[]*~", "\n", "\u{7F}",
    ] + [String(repeating: "k", count: 512), String(repeating: "😀", count: 128)]

  /// Encoded forms of keys that no node can have, each with the key it stands for.
  static let written = [
    (".", "."), (".", "%2e"), (".", "%2E"), ("..", ".."), ("..", "%2e%2e"), ("..", "%2E%2E"),
    ("..", ".%2e"), ("..", "%2E."),
  ]

  /// Returns the key that remains after a proxy has decoded and normalized a path. Returns nil if
  /// the path names no node any more, or another resource.
  ///
  /// - Parameters:
  ///   - key: The key that is encoded in the path.
  ///   - verb: The segment behind the key, if there is one.
  static func decoded(_ key: String, _ verb: String?) -> String? {
    let path = (["nodes", key] + [verb].compactMap(\.self)).joined(separator: "/")
    var segments: [Substring] = []
    for segment in path.split(separator: "/") where segment != "." {
      if segment == ".." { _ = segments.popLast() } else { segments.append(segment) }
    }
    let rest = segments.dropFirst(2).map(String.init)
    guard segments.first == "nodes", segments.count > 1, rest == [verb].compactMap(\.self) else {
      return nil
    }
    return verb == nil && path.hasSuffix("/") ? nil : String(segments[1])
  }
}
