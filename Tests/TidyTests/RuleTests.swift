import Testing

/// Tests that every rule can fail.
@Suite struct `Rules find violations` {
  @Test(arguments: [
    ("Sources/JSON/A.swift", "public import Foundation", "JSON may not import Foundation"),
    ("Sources/HTTP/A.swift", "import struct JSON.Reader", "HTTP may not import JSON"),
    ("Sources/HTTPServer/A.swift", "@testable import JSON", "HTTPServer may not import JSON"),
    ("Sources/Attic/A.swift", "struct A {}", "Attic is not in the table of imports"),
  ])
  func `a wrong import is found`(path: String, text: String, message: String) {
    let findings = ImportRule.findings(in: SourceText(path: path, text: text))
    #expect(findings == [Finding(path: path, line: 1, message: message)])
  }

  @Test(arguments: [
    "internal import Glibc", "// import JSON", "let x = \"import JSON\"", "func import_() {}",
  ])
  func `an allowed import is accepted`(text: String) {
    let source = SourceText(path: "Sources/HTTPServer/A.swift", text: text)
    #expect(ImportRule.findings(in: source).isEmpty)
  }

  @Test func `a long file, a long line and a long function are found at their lines`() {
    let long = String(repeating: "x", count: 101)
    #expect(lengthFindings("a\n// \(long)\n") == ["A.swift:2: the line has 104 characters"])

    let file = String(repeating: "a\n", count: 301)
    #expect(lengthFindings(file) == ["A.swift:301: the file has more than 300 lines"])

    let function = "\n  func f(\n    a: Int\n  ) {\n\(String(repeating: "a\n", count: 57))  }\n"
    #expect(lengthFindings(function) == ["A.swift:2: the function has 61 lines"])
  }

  @Test func `a file of the product that is too short is found`() {
    let text = String(repeating: "a\n", count: 19)
    let message = "the file has fewer than 20 lines"
    let short = SourceText(path: "Sources/JSON/A.swift", text: text)
    #expect(LengthRule.findings(in: short).map(\.message) == [message])
    for path in ["Sources/app/main.swift", "Tests/ATests/A.swift"] {
      #expect(LengthRule.findings(in: SourceText(path: path, text: text)).isEmpty)
    }
  }

  @Test(arguments: [([20, 79, 300], 1), ([20, 80, 300], 0), ([120], 0), ([20, 121, 121], 1)])
  func `a median length of files that is out of range is found`(counts: [Int], count: Int) {
    let sources = counts.map {
      SourceText(path: "Sources/JSON/A.swift", text: String(repeating: "a\n", count: $0))
    }
    #expect(LengthRule.medianFindings(in: sources).count == count)
  }

  @Test func `files, functions and lines of the greatest length are accepted`() {
    let line = String(repeating: "é", count: 100) + "\n"
    let function = "func f() {\n\(String(repeating: "a\n", count: 58))}\n"
    let rest = String(repeating: "a\n", count: 239)
    #expect(lengthFindings(line + function + rest).isEmpty)
  }

  @Test(arguments: [
    ("try! f()", "has try!"),
    ("struct A: @unchecked Sendable {}", "has @unchecked Sendable"),
    ("nonisolated(unsafe) var a = 1", "has nonisolated(unsafe)"),
    ("print(1)", "has print("),
    ("\"\\(print(1))\"", "has print("),
    ("/* a /* TODO */ */", "has TODO"),
    ("a() // FIXME: b", "has FIXME"),
  ])
  func `a banned word is found`(text: String, message: String) {
    let source = SourceText(path: "Sources/JSON/A.swift", text: text)
    #expect(BannedWordsRule.findings(in: source).map(\.message) == [message])
  }

  @Test(arguments: ["// try! this", "\"TODO\"", "footprint(1)", "// TODOS", "#\"\"try! \"#"])
  func `a text that resembles a banned word is accepted`(text: String) {
    let source = SourceText(path: "Sources/JSON/A.swift", text: text)
    #expect(BannedWordsRule.findings(in: source).isEmpty)
  }

  @Test func `executables may print, and tests may use try!`() {
    let executable = SourceText(path: "Sources/tree-bench/A.swift", text: "print(1)")
    let test = SourceText(path: "Tests/ATests/A.swift", text: "try! f()")
    #expect(BannedWordsRule.findings(in: executable).isEmpty)
    #expect(BannedWordsRule.findings(in: test).isEmpty)
  }

  @Test(arguments: [
    ("  a?.b = c", 1), ("defer { a.b?.c = D() }", 1), ("a!.b.c = d", 1), ("a?.b?.c = d", 1),
    ("a?.b()", 0), ("a[b]?.c = d", 0), ("if a?.b == c {", 0), ("let a = b?.c", 0), ("a?.b += 1", 0),
  ])
  func `an assignment through an optional value is found`(text: String, count: Int) {
    let source = SourceText(path: "Sources/JSON/A.swift", text: text)
    #expect(OptionalFieldRule.findings(in: source).count == count)
  }

  @Test func `unsafe outside the list is found`() {
    let bad = SourceText(path: "Sources/JSON/A.swift", text: "\nlet a = unsafe b\n// unsafe")
    #expect(UnsafeRule.findings(in: bad).map(\.line) == [2])
    let listed = SourceText(path: "Sources/Composition/ReadFile.swift", text: "unsafe close(1)")
    #expect(UnsafeRule.findings(in: listed).isEmpty)
    let other = SourceText(path: "Sources/JSON/A.swift", text: "let unsafety = 1")
    #expect(UnsafeRule.findings(in: other).isEmpty)
  }

  @Test(arguments: [
    ("Row.swift", "struct Column {}", false), ("Row.swift", "struct Row {}", true),
    ("Row+Write.swift", "extension Row {}", true), ("Row+Write.swift", "struct Rows {}", false),
    ("ReadFile.swift", "func readFile() {}", true), ("main.swift", "run()", true),
    ("Row.swift", "@frozen public enum Column {}", false),
    ("ASCII.swift", "extension UInt8 {}\nfunc f() {}", true),
    ("ASCII.swift", "private struct Other {}", true), ("Row+Write.swift", "extension A {}", false),
  ])
  func `a file that is not named after a declaration is found`(
    file: String,
    text: String,
    isFine: Bool
  ) {
    let source = SourceText(path: "Sources/JSON/" + file, text: text)
    #expect(FileNameRule.findings(in: source).isEmpty == isFine)
  }

  @Test(arguments: [
    ("Sources/HTTP/A.swift", "public let a = 1", 1), ("Sources/HTTP/A.swift", "open class A {}", 1),
    ("Sources/TreeDomain/A.swift", "public import JSON\nextension A {\n  public var b = 1\n}", 2),
    ("Tests/TestSupport/A.swift", "@inlinable public func a() {}", 1),
    ("Sources/HTTP/A.swift", "package let a = 1 // public\nlet b = \"public\"", 0),
    ("Sources/HTTP/Fields.swift", "public let a = 1", 0),
    ("Sources/JSON/A.swift", "public let a", 0), ("Sources/TreeEngine/A.swift", "public let a", 0),
  ])
  func `public code without a reason is found`(path: String, text: String, count: Int) {
    #expect(AccessRule.findings(in: SourceText(path: path, text: text)).count == count)
  }

  @Test func `a type in too many files is found`() {
    let texts = [
      "public struct Row<A> {}", "extension Row.Cell {}", "@frozen indirect enum Row {}",
      "extension Row: @unchecked Sendable {}", "extension Row {}\nextension Row {}",
      "extension Row where A == B {}", "package final class Row {}", "extension Row {}",
    ]
    let more = [
      "  extension Row {}", "private struct Row {}", "extension Rows {}", "// enum Row {}",
    ]
    let sources = (texts + more).enumerated().map {
      SourceText(path: "Sources/JSON/\($0).swift", text: $1)
    }
    #expect(SpreadRule.findings(in: sources).isEmpty)
    let ninth = SourceText(path: "Sources/HTTP/A.swift", text: "import JSON\nextension Row {}")
    let findings = SpreadRule.findings(in: sources + [ninth])
    #expect(findings.map(\.message) == ["Row is in 9 files, more than 8"])
  }

  @Test func `types of one name in two modules are two types`() {
    let others = (1...5).map {
      SourceText(
        path: "Sources/HTTP/\($0).swift",
        text: $0 == 1 ? "struct Row {}" : "extension Row {}"
      )
    }
    let own = (1...6).map {
      SourceText(
        path: "Sources/JSON/\($0).swift",
        text: $0 == 1 ? "enum Row {}" : "extension Row {}"
      )
    }
    #expect(SpreadRule.findings(in: others + own).isEmpty)
    let users = (1...3).map {
      SourceText(path: "Sources/TreeAPI/\($0).swift", text: "import JSON\nextension Row {}")
    }
    let findings = SpreadRule.findings(in: others + own + users)
    #expect(findings.map(\.message) == ["Row is in 9 files, more than 8"])
  }

  @Test func `a module missing from the map is found`() {
    let findings = CodeMapRule.findings(readme: "- `JSON/`: x", targets: ["HTTP", "JSON"])
    #expect(findings.map(\.message) == ["the map of the code does not name HTTP"])
    #expect(CodeMapRule.findings(readme: "tree-server  x", targets: ["tree"]).count == 1)
  }

  @Test func `a package dependency is found`() {
    let text = "let package = Package(\n  dependencies: [.package(url: \"x\", from: \"1.0.0\")]\n)"
    let bad = ManifestRule.findings(in: SourceText(path: "Package.swift", text: text))
    #expect(bad.map(\.line) == [2])
    let good = "// no .package(\nlet package = Package(name: \".package(\")"
    #expect(ManifestRule.findings(in: SourceText(path: "Package.swift", text: good)).isEmpty)
  }

  private func lengthFindings(_ text: String) -> [String] {
    LengthRule.findings(in: SourceText(path: "A.swift", text: text)).map(\.description)
  }
}
