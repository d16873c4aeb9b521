/// Limits of length. Long functions and files hide parts that deserve a name. A short file belongs
/// to the file of its subject.
enum LengthRule {
  static let maxFileLines = 300
  static let minFileLines = 20
  /// The lines of the file in the middle, if all files of the product are sorted by length.
  static let medianFileLines = 80...120
  static let maxFunctionLines = 60
  static let maxLineCharacters = 100

  static func findings(in source: SourceText) -> [Finding] {
    fileFindings(source) + lineFindings(source) + functionFindings(source)
  }

  /// Finds a median length of files that is out of range.
  static func medianFindings(in sources: [SourceText]) -> [Finding] {
    let counts = sources.filter(\.isProduct).map(\.lines.count).sorted()
    guard !counts.isEmpty else { return [] }
    let median = counts[counts.count / 2]
    guard !medianFileLines.contains(median) else { return [] }
    return [Finding(path: "Sources", line: 1, message: "half of the files have \(median) lines")]
  }

  private static func fileFindings(_ source: SourceText) -> [Finding] {
    if source.lines.count > maxFileLines {
      return [source.finding(line: maxFileLines, "the file has more than \(maxFileLines) lines")]
    }
    let isShort = source.lines.count < minFileLines && !source.path.hasSuffix("/main.swift")
    guard source.isProduct, isShort else { return [] }
    return [source.finding(line: 0, "the file has fewer than \(minFileLines) lines")]
  }

  private static func lineFindings(_ source: SourceText) -> [Finding] {
    source.lines.enumerated().filter { $0.element.count > maxLineCharacters }.map {
      source.finding(line: $0.offset, "the line has \($0.element.count) characters")
    }
  }

  private static func functionFindings(_ source: SourceText) -> [Finding] {
    FunctionScan.functions(in: source.code).filter { $0.count > maxFunctionLines }.map {
      source.finding(line: $0.lowerBound, "the function has \($0.count) lines")
    }
  }
}
