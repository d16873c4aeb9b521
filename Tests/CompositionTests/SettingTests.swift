import Foundation
import TestSupport
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
}

@Suite struct `Reading files` {
  @Test func `a file is read whole`() throws {
    let bytes = try readFile(#filePath, limit: 1_000_000)
    #expect(bytes.starts(with: "import Foundation".utf8))
    #expect(bytes.last == UInt8(ascii: "\n"))
  }

  @Test func `a file is read without its byte order mark`() throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/file"
    for (text, content) in [("\u{FEFF}a", "a"), ("a\u{FEFF}", "a\u{FEFF}"), ("\u{FEFF}", "")] {
      try Data(text.utf8).write(to: URL(filePath: path))
      #expect(try readFile(path, limit: 10) == Array(content.utf8))
    }
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
