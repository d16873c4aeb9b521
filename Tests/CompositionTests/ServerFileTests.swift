import Testing

@testable import Composition

@Suite struct `The configuration file in Config` {
  @Test func `it names every setting with its default, byte for byte`() throws {
    let folders = #filePath.split(separator: "/").dropLast(3)
    let path = "/" + folders.joined(separator: "/") + "/Config/server.json"
    let text = String(decoding: try readFile(path, limit: 65_536), as: UTF8.self)
    #expect(text == Configuration().rendered())
  }
}
