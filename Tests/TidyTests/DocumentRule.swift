import Foundation

/// Rules for the README and the pages of the catalogs: they are short and without dead links.
enum DocumentRule {
  /// The number of lines that the README may have.
  static let maxReadmeLines = 250

  /// The number of words that the README may have, those in code included.
  static let maxReadmeWords = 2_200

  /// The number of words that a sentence may have. Inline code counts as one word.
  static let maxSentenceWords = 30

  /// Finds a README that is too long.
  static func lengthFindings(readme: String) -> [Finding] {
    let lines = readme.count { $0 == "\n" }
    let words = readme.split(whereSeparator: \.isWhitespace).count
    var findings: [Finding] = []
    if lines > maxReadmeLines {
      findings.append(Finding(path: "README.md", line: lines, message: "\(lines) lines"))
    }
    if words > maxReadmeWords {
      findings.append(Finding(path: "README.md", line: lines, message: "\(words) words"))
    }
    return findings
  }

  /// Finds sentences that are too long. Code blocks are ignored.
  static func sentenceFindings(in text: String, path: String) -> [Finding] {
    var findings: [Finding] = []
    for paragraph in paragraphs(of: text) {
      for count in sentenceLengths(of: paragraph.text) where count > maxSentenceWords {
        let message = "a sentence of this paragraph has \(count) words"
        findings.append(Finding(path: path, line: paragraph.line, message: message))
      }
    }
    return findings
  }

  /// Finds links to files that do not exist.
  ///
  /// - Parameter exists: Returns true if a file or folder exists, given its path from the root.
  static func linkFindings(
    in text: String,
    path: String,
    exists: (String) -> Bool
  ) -> [Finding] {
    let folder = path.split(separator: "/").dropLast()
    return paragraphs(of: text).flatMap { paragraph in
      paragraph.text.matches(of: #/\]\(([^)#\s]+)[^)]*\)/#).compactMap { match -> Finding? in
        let target = match.1
        guard !target.contains("://"), !exists(resolve(target, in: folder)) else { return nil }
        return Finding(path: path, line: paragraph.line, message: "no file is at \(target)")
      }
    }
  }

  // MARK: Parts of a document

  /// Returns the numbers of words of the sentences in a paragraph.
  private static func sentenceLengths(of text: String) -> [Int] {
    let plain = text.replacing(#/(`+)[^`].*?\1/#, with: "code")
    var lengths = [0]
    for word in plain.split(whereSeparator: \.isWhitespace) {
      lengths[lengths.count - 1] += 1
      let last = word.last { !"*_)\"".contains($0) }
      if let last, ".!?".contains(last) { lengths.append(0) }
    }
    return lengths
  }

  /// Returns the paragraphs, list items and table cells of a document, with their first lines.
  private static func paragraphs(of text: String) -> [(line: Int, text: String)] {
    var found: [(line: Int, text: String)] = []
    var isCode = false
    var isOpen = false
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      let content = line.trimmingCharacters(in: .whitespaces)
      if content.hasPrefix("```") { isCode.toggle() }
      let isText = !isCode && !content.isEmpty && !content.hasPrefix("```")
      guard isText, !content.hasPrefix("#"), !content.hasPrefix("@") else {
        isOpen = false
        continue
      }
      if content.hasPrefix("|") {
        found += content.split(separator: "|").map { (index + 1, String($0)) }
        isOpen = false
      } else if isOpen && content.prefixMatch(of: #/(?:[-*]|\d+\.) /#) == nil {
        found[found.count - 1].text += " " + content
      } else {
        found.append((index + 1, content))
        isOpen = true
      }
    }
    return found
  }

  /// Returns the path from the root for a link in a folder.
  private static func resolve(_ target: Substring, in folder: some Sequence<Substring>) -> String {
    var parts = Array(folder)
    for part in target.split(separator: "/") {
      if part == ".." { _ = parts.popLast() } else if part != "." { parts.append(part) }
    }
    return parts.joined(separator: "/")
  }
}
