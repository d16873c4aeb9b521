import Foundation
import Testing

/// The README, and the pages of the catalogs beside the code.
@Suite struct `The documents` {
  @Test func `the README and a catalog in seven modules are found`() {
    #expect(Repository.catalogs.count >= 7)
    #expect(Repository.documents.contains { $0.path == "README.md" })
    #expect(Repository.documents.count > 20)
  }

  @Test func `the README is short`() throws {
    let readme = try #require(Repository.text(of: "README.md"))
    expectNone(DocumentRule.lengthFindings(readme: readme))
  }

  @Test func `sentences have at most 30 words`() {
    expectNone(
      Repository.documents.flatMap { DocumentRule.sentenceFindings(in: $0.text, path: $0.path) }
    )
  }

  @Test func `links lead to files that exist`() {
    let findings = Repository.documents.flatMap { document in
      DocumentRule.linkFindings(in: document.text, path: document.path) {
        FileManager.default.fileExists(atPath: Repository.root + $0)
      }
    }
    expectNone(findings)
  }

  @Test(.enabled(if: docc("--help") != nil, "docc is not installed"))
  func `docc converts each catalog without a warning`() throws {
    for catalog in Repository.catalogs {
      let result = try #require(convert(catalog: Repository.root + catalog))
      #expect(result.status == 0, "\(catalog): \(result.text)")
    }
  }

  @Test(.enabled(if: docc("--help") != nil, "docc is not installed"))
  func `docc finds a link to a page that does not exist`() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    let catalog = folder.appending(path: "Documentation.docc")
    try FileManager.default.createDirectory(at: catalog, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let page = "# A\n\nB.\n\n@Metadata {\n  @TechnologyRoot\n}\n\n## Overview\n\n<doc:Missing>\n"
    try Data(page.utf8).write(to: catalog.appending(path: "A.md"))
    #expect(try #require(convert(catalog: catalog.path())).status != 0)
  }

  // MARK: The rules

  @Test func `a README that is too long is found`() {
    let lines = String(repeating: "a\n", count: 251)
    #expect(DocumentRule.lengthFindings(readme: lines).map(\.message) == ["251 lines"])
    let words = String(repeating: "a ", count: 2_201)
    #expect(DocumentRule.lengthFindings(readme: words).map(\.message) == ["2201 words"])
    let fine = String(repeating: "a\n", count: 250)
    #expect(DocumentRule.lengthFindings(readme: fine).isEmpty)
  }

  @Test(arguments: [
    (words(31), [1]), (words(30), []), (words(30) + ". " + words(30), []),
    ("a\n\n" + words(20) + "\n" + words(11), [3]), (words(20) + "\n- " + words(20), []),
    ("| " + words(20) + " | " + words(20) + " |", []), ("| " + words(31) + " |", [1]),
    ("```\n" + words(40) + "\n```\n" + words(31), [4]), ("`" + words(40) + "`", []),
    (words(30) + ".) " + words(30), []),
  ])
  func `a sentence that is too long is found`(text: String, lines: [Int]) {
    #expect(DocumentRule.sentenceFindings(in: text, path: "A.md").map(\.line) == lines)
  }

  @Test func `a link to a missing file is found`() {
    let text = "[a](../B.md#c) [b](https://x.example/y) [c](#d) [d](C/D.md)"
    let findings = DocumentRule.linkFindings(in: text, path: "A/A.md") { $0 == "B.md" }
    #expect(findings.map(\.message) == ["no file is at C/D.md"])
  }
}

/// Returns text with `count` words.
private func words(_ count: Int) -> String {
  Array(repeating: "a", count: count).joined(separator: " ")
}

/// Converts a catalog with docc; returns nil if docc is not installed.
private func convert(catalog: String) -> (status: Int32, text: String)? {
  let output = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
  defer { try? FileManager.default.removeItem(at: output) }
  return docc(
    "convert",
    catalog,
    "--warnings-as-errors",
    "--fallback-display-name",
    "Documents",
    "--fallback-bundle-identifier",
    "documents",
    "--output-path",
    output.path()
  )
}

/// Runs docc and returns its status and output; nil if it is not installed.
private func docc(_ arguments: String...) -> (status: Int32, text: String)? {
  let process = Process()
  let pipe = Pipe()
  process.executableURL = URL(filePath: "/usr/bin/env")
  process.arguments = ["docc"] + arguments
  process.standardOutput = pipe
  process.standardError = pipe
  guard (try? process.run()) != nil else { return nil }
  let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
  process.waitUntilExit()
  return process.terminationStatus == 127 ? nil : (process.terminationStatus, text)
}
