/// What is not written here, because it hides a fault or puts one off.
enum BannedWordsRule {
  /// Not in any code of the product.
  static let inCode = [
    "@unchecked Sendable", "nonisolated(unsafe)", "@preconcurrency", "try!", "as!",
  ]

  /// Where one of them is written all the same, and why.
  ///
  /// Copies of a chunked array share memory that each only reads, as those of an array of the
  /// standard library do: the compiler cannot see that.
  static let exceptions = [
    "Sources/TreeEngine/Chunks/ChunkedArray.swift": "@unchecked Sendable",
    "Sources/TreeSessions/Tree/TreeCopy.swift": "@unchecked Sendable",
  ]

  /// Not in any comment, of the product or of its tests.
  static let inComments = ["TODO", "FIXME", "XXX", "HACK"]

  /// Not in a room that does not own the standard output.
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

  /// Whether a text occurs in a line, not as the end of a longer identifier.
  private static func occurs(_ text: String, in line: String) -> Bool {
    line.ranges(of: text).contains { range in
      guard range.lowerBound > line.startIndex, text.first?.isLetter == true else { return true }
      let previous = line[line.index(before: range.lowerBound)]
      return !(previous.isLetter || previous.isNumber || previous == "_")
    }
  }
}
