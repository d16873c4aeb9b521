import Testing

@testable import HTTP

/// Which fields are looked at closely.
struct FieldNotesTests {
  @Test(arguments: [
    "Host", "Expect", "Connection", "traceparent", "X-Request-Id", "Content-Length",
    "Accept-Encoding", "Transfer-Encoding",
  ])
  func `a name that concerns the message does so in any case`(name: String) {
    for written in [name, name.lowercased(), name.uppercased()] {
      let bytes = Array(written.utf8)
      let concerns = FieldNotes.mayConcern(bytes.indices, in: bytes.span)
      #expect(concerns, "\(written)")
    }
  }

  @Test(arguments: ["User-Agent", "Accept", "sec-ch-ua", "Sec-Fetch-Mode", "Cookie", "Priority"])
  func `what browsers send besides does not`(name: String) {
    let bytes = Array(name.utf8)
    let concerns = FieldNotes.mayConcern(bytes.indices, in: bytes.span)
    #expect(!concerns)
  }
}
