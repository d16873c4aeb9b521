import Testing

@testable import HTTP

/// The selection of fields that concern the message itself.
struct FieldNotesTests {
  @Test(arguments: [
    "Host", "Expect", "Connection", "traceparent", "X-Request-Id", "Content-Length",
    "Accept-Encoding", "Transfer-Encoding",
  ])
  func `names of message fields are recognized in any letter case`(name: String) {
    for written in [name, name.lowercased(), name.uppercased()] {
      let bytes = Array(written.utf8)
      let concerns = FramingFields.mayConcern(bytes.indices, in: bytes.span)
      #expect(concerns, "\(written)")
    }
  }

  @Test(arguments: ["User-Agent", "Accept", "sec-ch-ua", "Sec-Fetch-Mode", "Cookie", "Priority"])
  func `other names that browsers send are ruled out`(name: String) {
    let bytes = Array(name.utf8)
    let concerns = FramingFields.mayConcern(bytes.indices, in: bytes.span)
    #expect(!concerns)
  }
}
