import Testing

@Suite struct `Rules for comments` {
  @Test(arguments: [
    ("public func a() {}", 1), ("package func a() {}", 1), ("@inlinable package func a() {}", 1),
    ("public static func a() {}", 1),
    ("public subscript(a: Int) -> Int { 1 }", 1),
    ("/// Does.\n/// - Complexity: O(1)\npublic func a() {}", 0),
    ("/// - Complexity: O(1)\n@inlinable\npublic mutating func a() {}", 0),
    ("/// - Complexity: O(1)\nfunc b() {}\n\npublic func a() {}", 1),
    ("func a() {}", 0), ("public var a: Int { 1 }", 0), ("// public func a() {}", 0),
  ])
  func `a function that the engine offers without its complexity is found`(
    text: String,
    count: Int
  ) {
    let engine = SourceText(path: "Sources/TreeEngine/A.swift", text: text)
    #expect(CommentRule.complexityFindings(in: engine).count == count)
    let other = SourceText(path: "Sources/JSON/A.swift", text: text)
    #expect(CommentRule.complexityFindings(in: other).isEmpty)
  }

  @Test(arguments: [
    ("package let a = 1", 1), ("public struct A {}", 1),
    ("  @inlinable package var a: Int { 1 }", 1), ("@frozen\npublic enum A {}", 1),
    ("package private(set) static var a = 1", 1),
    ("package init() {}", 1), ("package subscript(a: Int) -> Int { 1 }", 1),
    ("package final class A {}", 1), ("package static func a() {}", 1),
    ("/// The sum.\npackage let a = 1", 0), ("/// The sum.\n@inlinable\npackage let a = 1", 0),
    ("package import A", 0), ("package extension A {}", 0), ("package override func a() {}", 0),
    ("let a = 1", 0), ("private let package = 1", 0), ("// package let a = 1", 0),
  ])
  func `what a module offers without a comment is found`(text: String, count: Int) {
    let source = SourceText(path: "Sources/JSON/A.swift", text: text)
    #expect(CommentRule.documentationFindings(in: source).count == count)
    let test = SourceText(path: "Tests/ATests/A.swift", text: text)
    #expect(CommentRule.documentationFindings(in: test).isEmpty)
  }

  @Test(arguments: [
    ("/// What it is.\nlet a = 1", [1]), ("let b = 1\n\n  /// Where: here.\n  let a = 1", [3]),
    ("/// Returns it.\n/// Where it is.\nlet a = 1", []), ("/// The place.\nlet a = 1", []),
    ("/// Whatever.\nlet a = 1", []), ("// What it is.\nlet a = 1", []),
    ("let a = \"/// What\"", []), ("/// `One` of them.\nlet a = 1", []), ("///\nlet a = 1", []),
  ])
  func `a doc comment that begins with a banned word is found`(text: String, lines: [Int]) {
    let source = SourceText(path: "Tests/ATests/A.swift", text: text)
    #expect(CommentRule.openingFindings(in: source).map(\.line) == lines)
  }

  @Test(arguments: [
    ("/// - Parameter a: The number.", 0), ("/// - Parameter a: the number.", 1),
    ("  ///   - a: `b`, or nil.", 0), ("  ///   - a: b, or nil.", 1), ("/// - Returns: ``A``.", 0),
    ("/// - Returns: the sum.", 1), ("/// - Precondition: As for `a`.", 0),
    ("/// Precondition: The list is empty.", 1), ("/// - Precondition of it: It is empty.", 1),
    ("// - a: b", 0), ("let a = \"/// - a: b\"", 0), ("/// - a list with: a colon", 0),
    ("/// Returns the sum.", 0), ("/// Note this.", 0), ("/// Complexity: O(1)", 1),
  ])
  func `a field of a comment in another form is found`(text: String, count: Int) {
    let source = SourceText(path: "Sources/JSON/A.swift", text: text)
    #expect(CommentRule.fieldFindings(in: source).count == count)
  }

  @Test(arguments: [(30, 0), (31, 1)])
  func `a sentence of a comment that is too long is found`(words: Int, count: Int) {
    let sentence = Array(repeating: "a", count: words).joined(separator: " ")
    let source = SourceText(path: "A.swift", text: "let a = 1\n/// B.\n///\n/// \(sentence).\n")
    let lines = CommentRule.sentenceFindings(in: source).map(\.line)
    #expect(lines == Array(repeating: 4, count: count))
  }

  @Test(arguments: [
    ("final class A {\n  var a = 1\n}", 1), ("actor A {\n  package var a: Int\n}", 1),
    ("final class A {\n  /// The sum.\n  var a = 1\n}", 0), ("struct A {\n  var a = 1\n}", 0),
    ("final class A {\n  private var a = 1\n}", 0), ("final class A {\n  let a = 1\n}", 0),
    ("final class A {\n  private(set) var a = 1\n}", 0), ("class A {\n  var a: Int { 1 }\n}", 0),
    ("class A {\n  var a: Int {\n    1\n  }\n}", 0), ("class A {\n  static var a: Int { 1 }\n}", 0),
    ("class A {\n  func a() {\n    var a = 1\n  }\n}", 0),
  ])
  func `state that files share without a comment is found`(text: String, count: Int) {
    let source = SourceText(path: "Sources/JSON/A.swift", text: text)
    #expect(CommentRule.stateFindings(in: source).count == count)
  }

  @Test func `a reason to refuse a request without a source is found`() {
    let text = """
      enum RequestRejection {
        /// Bad (RFC 9112, 3).
        case a
        /// Bad, in practice.
        case b
        /// Bad.
        case c(limit: Int)

        var x: Int { switch self { case .a: 1 } }
      }

      enum Other {
        case d
      }
      """
    let source = SourceText(path: "Sources/HTTP/A.swift", text: text)
    #expect(CommentRule.rejectionFindings(in: source).map(\.line) == [7])
  }
}

@Suite struct `Reading Swift` {
  @Test(arguments: [
    ("a // b", "a     "),
    ("a /* b /* c */ d */ e", "a                   e"),
    ("\"a\" b", "    b"),
    ("\"\\\"\" b", "     b"),
    ("\"// a\" b", "       b"),
    ("#\"a\"b\"# c", "        c"),
    ("\"a\\(b(\"c\") + d)e\" f", "    b(   ) + d    f"),
    ("`a { b` c", "xxxxxxx c"),
    ("\"a", "  "),
  ])
  func `comments and strings are separated from code`(text: String, code: String) {
    let source = SourceText(path: "A.swift", text: text)
    #expect(source.code.first?.trimmedEnd == code.trimmedEnd)
  }

  @Test func `a multi-line string ends at its own quotes`() {
    let text = "let a = \"\"\"\n  { \"b\" // c\n  \"\"\"\nlet d = 1 // e"
    let source = SourceText(path: "A.swift", text: text)
    #expect(source.code.map(\.trimmed) == ["let a =", "", "", "let d = 1"])
    #expect(source.comments.map(\.trimmed) == ["", "", "", "// e"])
  }

  @Test(arguments: [
    ("func a() {\n}", [0..<2]),
    ("func a()", []),
    ("func a() { b { c } }", [0..<1]),
    ("init?(\n  a: () -> Void = {}\n)\nwhere B: C {\n  d()\n}", [0..<6]),
    ("func a() -> B\n\nfunc c() {\n}", [2..<4]),
    ("var a: Int {\n  1\n}", [0..<3]),
    ("var a = b {\n  1\n}", []),
    ("self.init(a)\n.init(b)\ninit(c) {}", [2..<3]),
    ("deinit {\n  a()\n}", [0..<3]),
    ("@Test(arguments: [1])\nfunc `a { b`() {\n}", [1..<3]),
    ("func a() {\n  func b() {\n  }\n}", [0..<4, 1..<3]),
  ])
  func `functions are found with their last line`(text: String, ranges: [Range<Int>]) {
    let source = SourceText(path: "A.swift", text: text)
    #expect(FunctionScan.functions(in: source.code) == ranges)
  }
}

extension String {
  fileprivate var trimmedEnd: String {
    var text = self
    while text.hasSuffix(" ") { text.removeLast() }
    return text
  }
}
