/// Limits of length. Long functions and files hide parts that deserve a name.
enum LengthRule {
  static let maxFileLines = 300
  static let maxFunctionLines = 60
  static let maxLineCharacters = 100

  static func findings(in source: SourceText) -> [Finding] {
    fileFindings(source) + lineFindings(source) + functionFindings(source)
  }

  private static func fileFindings(_ source: SourceText) -> [Finding] {
    guard source.lines.count > maxFileLines else { return [] }
    return [source.finding(line: maxFileLines, "the file has more than \(maxFileLines) lines")]
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
