/// Words that are banned, because they hide a fault or postpone its repair.
enum BannedWordsRule {
  /// Words that are banned in the code of the product.
  static let inCode = [
    "@unchecked Sendable", "nonisolated(unsafe)", "@preconcurrency", "try!", "as!",
  ]

  /// The files that may have a banned word.
  ///
  /// They share memory that each copy only reads, as copies of a standard array do. The compiler
  /// cannot check that.
  static let exceptions = [
    "Sources/TreeEngine/Chunks/ChunkedArray.swift": "@unchecked Sendable",
    "Sources/TreeSessions/Tree/TreeCopies.swift": "@unchecked Sendable",
  ]

  /// Words that are banned in comments of the product and of its tests.
  static let inComments = ["TODO", "FIXME", "XXX", "HACK"]

  /// Words that are banned in modules that do not own the standard output.
  static let outsideExecutables = ["print(", "debugPrint(", "dump("]

  static let executables: Set = ["tree-server", "tree-bench"]

  static func findings(in source: SourceText) -> [Finding] {
    var banned: [String] = []
    if source.isProduct { banned += inCode }
    if source.isProduct && !executables.contains(source.target) { banned += outsideExecutables }
    let code = source.code.enumerated().flatMap { index, line in
      banned.filter { exceptions[source.path] != $0 && occurs($0, in: line) }
        .map { source.finding(line: index, "has \($0)") }
    }
    let comments = source.comments.enumerated().flatMap { index, line in
      let words = line.words
      return inComments.filter { words.contains($0[...]) }
        .map { source.finding(line: index, "has \($0)") }
    }
    return code + comments
  }

  /// Returns true if a text occurs in a line, other than as the end of a longer identifier.
  private static func occurs(_ text: String, in line: String) -> Bool {
    line.ranges(of: text).contains { range in
      guard range.lowerBound > line.startIndex, text.first?.isLetter == true else { return true }
      let previous = line[line.index(before: range.lowerBound)]
      return !(previous.isLetter || previous.isNumber || previous == "_")
    }
  }
}
