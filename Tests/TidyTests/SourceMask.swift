/// Separates the comments and strings of a Swift file from its code, byte by byte.
///
/// It understands nested comments, raw and multi-line strings, interpolations, which contain code,
/// and identifiers in backticks. It does not understand regular-expression literals, whose text
/// counts as code.
struct SourceMask {
  private enum Mode: Equatable {
    case code(openParentheses: Int)
    case lineComment
    case blockComment
    case string(hashes: Int, isMultiline: Bool)
  }

  private let text: [UInt8]
  private var index = 0
  private var modes = [Mode.code(openParentheses: 0)]

  /// The text with comments and strings blanked.
  private(set) var code: [UInt8]

  /// The text with all but comments blanked.
  private(set) var comments: [UInt8]

  init(_ text: String) {
    self.text = Array(text.utf8)
    let blank = self.text.map { $0 == newline ? newline : UInt8(ascii: " ") }
    code = blank
    comments = blank
  }

  /// Reads the whole text.
  mutating func run() {
    while index < text.count, let mode = modes.last {
      switch mode {
      case .code(let open): readCode(openParentheses: open)
      case .lineComment: readLineComment()
      case .blockComment: readBlockComment()
      case .string(let hashes, let isMultiline): readString(hashes, isMultiline)
      }
    }
  }

  private mutating func readCode(openParentheses open: Int) {
    if starts("//") {
      modes.append(.lineComment)
    } else if starts("/*") {
      modes.append(.blockComment)
      keepComment(2)
    } else if let (hashes, isMultiline) = stringOpening() {
      modes.append(.string(hashes: hashes, isMultiline: isMultiline))
      index += hashes + (isMultiline ? 3 : 1)
    } else if text[index] == UInt8(ascii: "`") {
      readRawIdentifier()
    } else if text[index] == UInt8(ascii: ")") && open == 0 && modes.count > 1 {
      modes.removeLast()
      index += 1
    } else {
      countParenthesis(open)
      code[index] = text[index]
      index += 1
    }
  }

  private mutating func countParenthesis(_ open: Int) {
    switch text[index] {
    case UInt8(ascii: "("): modes[modes.count - 1] = .code(openParentheses: open + 1)
    case UInt8(ascii: ")"): modes[modes.count - 1] = .code(openParentheses: open - 1)
    default: break
    }
  }

  /// Skips an identifier in backticks, and replaces it with a plain one of the same length.
  private mutating func readRawIdentifier() {
    let start = index
    index += 1
    while index < text.count, text[index] != UInt8(ascii: "`"), text[index] != newline {
      index += 1
    }
    index = min(index + 1, text.count)
    for position in start..<index where text[position] != newline {
      code[position] = UInt8(ascii: "x")
    }
  }

  private mutating func readLineComment() {
    if text[index] == newline {
      modes.removeLast()
    } else {
      keepComment(1)
    }
  }

  private mutating func readBlockComment() {
    if starts("/*") {
      modes.append(.blockComment)
      keepComment(2)
    } else if starts("*/") {
      modes.removeLast()
      keepComment(2)
    } else {
      keepComment(1)
    }
  }

  private mutating func readString(_ hashes: Int, _ isMultiline: Bool) {
    let fence = String(repeating: "#", count: hashes)
    let closing = (isMultiline ? "\"\"\"" : "\"") + fence
    if starts("\\" + fence + "(") {
      index += hashes + 2
      modes.append(.code(openParentheses: 0))
    } else if starts("\\" + fence) {
      index += hashes + 2
    } else if starts(closing) || (text[index] == newline && !isMultiline) {
      index += text[index] == newline ? 0 : closing.utf8.count
      modes.removeLast()
    } else {
      index += 1
    }
  }

  private mutating func keepComment(_ count: Int) {
    for position in index..<index + count { comments[position] = text[position] }
    index += count
  }

  private func stringOpening() -> (hashes: Int, isMultiline: Bool)? {
    let hashes = text[index...].prefix { $0 == UInt8(ascii: "#") }.count
    let quotes = text[(index + hashes)...]
    guard quotes.first == UInt8(ascii: "\"") else { return nil }
    return (hashes, quotes.starts(with: "\"\"\"".utf8))
  }

  private func starts(_ prefix: String) -> Bool {
    text[index...].starts(with: prefix.utf8)
  }
}

private let newline = UInt8(ascii: "\n")
