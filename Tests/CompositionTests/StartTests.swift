import Testing

@testable import Composition

@Suite struct `Output of the start` {
  @Test func `settings that differ from their defaults are shown, and no others`() throws {
    #expect(Configuration().renderedDifferences() == nil)
    let configuration = try resolved(["--port", "0", "--storage", "memory", "--drain-seconds", "7"])
    #expect(
      configuration.renderedDifferences()
        == "{\n  \"port\": 0,\n  \"storage\": \"memory\"\n}\n"
    )
    #expect(try resolved(["--config=f"], file: configuration.rendered()) == configuration)
  }

  @Test func `the version is that of the API's description`() throws {
    let folders = #filePath.split(separator: "/").dropLast(3)
    let path = "/" + folders.joined(separator: "/") + "/openapi.yaml"
    let text = String(decoding: try readFile(path, limit: 16_777_216), as: UTF8.self)
    let info = try #require(text.split(separator: "\ninfo:\n").last)
    let lines = info.split(separator: "\n").prefix { $0.hasPrefix(" ") }
    #expect(lines.filter { $0.hasPrefix("  version: ") } == ["  version: \(programVersion)"])
    #expect(try resolve(["--version", "--check"]) == .version)
  }
}
