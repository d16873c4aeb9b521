import JSON
import Testing
import TreeDomain

@Suite struct VocabularyTests {
  @Test func `an error is written with the members it has`() {
    var error = ServiceError(.duplicateKey, "Take another \"key\".", key: utf8("é"))
    #expect(
      written { writer in
        writer.beginObject()
        error.writeMembers(to: &writer)
        writer.endObject()
      } == #"{"detail":"Take another \"key\".","code":"duplicate-key","key":"é"}"#
    )
    error = error.at(operation: 3)
    error.pointer = "/operations/3"
    error.byteOffset = 1
    error.revision = Revision(2)
    error.limit = 4
    #expect(
      written { writer in
        writer.beginObject()
        error.writeMembers(to: &writer)
        writer.endObject()
      }
        == #"{"detail":"Take another \"key\".","code":"duplicate-key","operation":3,"key":"é","#
        + #""pointer":"/operations/3","byteOffset":1,"revision":2,"limit":4}"#
    )
  }

  @Test func `a syntax error becomes a malformed-json error`() {
    let error = ServiceError(JSONError(.tooDeep(limit: 9), at: 12))
    #expect(error.code == .malformedJSON)
    #expect(error.byteOffset == 12)
    #expect(error.limit == 9)
    #expect(error.detail == "The body is not JSON: it is nested deeper than 9 levels, at byte 12.")
  }

  @Test func `session ids are read back and are distinct`() {
    var generator = SystemRandomNumberGenerator()
    var known: Set<SessionID> = []
    for _ in 0..<1000 {
      let id = SessionID(using: &generator)
      #expect(id.bytes.count == 24)
      #expect(SessionID(id.bytes[...]) == id)
      #expect(known.insert(id).inserted)
    }
  }

  @Test(arguments: [
    (0, 0, "0000000000000000000000"), (0, .max, "00000000000LygHa16AHYF"),
    (1, 0, "00000000000LygHa16AHYG"), (.max, .max, "7n42DGM5Tflk9n8mt7Fhc7"),
    (0, 839_299_365_868_340_223, "000000000000zzzzzzzzzz"),
    (0, 839_299_365_868_340_224, "0000000000010000000000"),
  ])
  func `a session id has 22 digits of base 62`(high: UInt64, low: UInt64, digits: String) {
    var generator = Listed(numbers: [low, high])
    let id = SessionID(using: &generator)
    #expect(String(decoding: id.bytes, as: UTF8.self) == "s_" + digits)
    #expect(SessionID(id.bytes[...]) == id)
  }

  @Test(arguments: [
    "s_7n42DGM5Tflk9n8mt7Fhc8", "", "s_", "s_000000000000000000000", "s_00000000000000000000000",
    "t_0000000000000000000000",
    "s-0000000000000000000000", "s_000000000000000000000_", "S_0000000000000000000000",
    "s_zzzzzzzzzzzzzzzzzzzzzz", "s_７000000000000000000",
  ])
  func `an invalid session id is refused`(_ written: String) {
    #expect(SessionID(utf8(written)[...]) == nil)
  }

  @Test func `revisions count up`() {
    #expect(Revision(4).next == Revision(5))
    #expect(Revision(4) < Revision(5))
  }
}

/// A generator of given numbers, the last one first.
private struct Listed: RandomNumberGenerator {
  var numbers: [UInt64]

  mutating func next() -> UInt64 { numbers.removeLast() }
}
