import Foundation
import Testing

/// The tests of the JavaScript client, which Node runs.
@Suite struct `The JavaScript client` {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()

  /// True if Node is installed, in a version that has a test runner and `AbortSignal.any`.
  private static let hasNode = {
    let version = output(of: ["node", "--version"])?.text ?? ""
    let numbers = version.dropFirst().split(separator: ".").compactMap { Int($0) }
    return numbers.count > 1 && (numbers[0], numbers[1]) >= (20, 3)
  }()

  @Test(
    .enabled(if: hasNode, "node 20.3 or later is not installed"),
    .timeLimit(.minutes(20))
  )
  func `passes its tests`() throws {
    let result = try #require(Self.output(of: ["node", "--test", "node"]))
    // The first failure, and what follows it.
    let failure = result.text.range(of: "not ok").map { result.text[$0.lowerBound...] }
    #expect(result.status == 0, "\((failure ?? result.text[...]).prefix(8_000))")
    #expect(result.text.contains("# pass "))
    let skipped = result.text.split(separator: "\n").compactMap { line in
      line.split(separator: " # SKIP ", maxSplits: 1).dropFirst().first.map(String.init)
    }
    for reason in Set(skipped).sorted() { print("Tests of the client are skipped: \(reason)") }
  }

  /// Returns what a command writes, beside the tests; nil if there is no such program.
  private static func output(of command: [String]) -> (text: String, status: Int32)? {
    let process = Process(), pipe = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = command
    process.currentDirectoryURL = folder
    process.standardOutput = pipe
    process.standardError = pipe
    guard (try? process.run()) != nil else { return nil }
    let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return process.terminationStatus == 127 ? nil : (text, process.terminationStatus)
  }
}
