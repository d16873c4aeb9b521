import Testing

@testable import Composition

@Suite struct `Settings and their names` {
  @Test(arguments: [
    ("port", "--port", "TREE_SERVER_PORT"),
    ("maxBodyBytes", "--max-body-bytes", "TREE_SERVER_MAX_BODY_BYTES"),
    ("maxJSONDepth", "--max-json-depth", "TREE_SERVER_MAX_JSON_DEPTH"),
    ("useTLS", "--use-tls", "TREE_SERVER_USE_TLS"),
  ])
  func `flag and variable follow from the name`(name: String, flag: String, variable: String) {
    let setting = Setting(name: name, field: .text(\.host), summary: "")
    #expect(setting.flag == flag)
    #expect(setting.variable == variable)
  }

  @Test(arguments: [
    ("", "", 0), ("", "abc", 3), ("abc", "", 3), ("abc", "abc", 0), ("abc", "abd", 1),
    ("kitten", "sitting", 3), ("flaw", "lawn", 2), ("port", "prot", 2),
  ])
  func `edit distance counts insertions, deletions and replacements`(
    first: String,
    second: String,
    distance: Int
  ) {
    #expect(editDistance(first, second) == distance)
    #expect(editDistance(second, first) == distance)
  }

  @Test func `the nearest name is found only when it is near`() {
    let names = ["maxHeaderBytes", "maxHeaderFields", "port"]
    #expect(nearestName(to: "maxHeaderByte", among: names) == "maxHeaderBytes")
    #expect(nearestName(to: "frobnicate", among: names) == nil)
    #expect(nearestName(to: "port", among: []) == nil)
  }
}

@Suite struct `Reading files` {
  @Test func `a file is read whole`() throws {
    let bytes = try readFile(#filePath, limit: 1_000_000)
    #expect(bytes.starts(with: "import Testing".utf8))
    #expect(bytes.last == UInt8(ascii: "\n"))
  }

  @Test func `a missing file is refused with the system's reason`() {
    let error = #expect(throws: ConfigurationError.self) { try readFile("/no/such", limit: 1) }
    #expect(error?.description == "cannot read /no/such: No such file or directory")
  }

  @Test func `a file over the limit is refused`() {
    let error = #expect(throws: ConfigurationError.self) { try readFile(#filePath, limit: 10) }
    #expect(error == .unreadable(path: #filePath, reason: "it is larger than 10 bytes"))
  }

  @Test func `the environment of this process can be read`() throws {
    #expect(try EnvironmentVariables.ofThisProcess().contains { $0.hasPrefix("PATH=") })
  }
}
