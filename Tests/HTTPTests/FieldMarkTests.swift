import Testing

@testable import HTTP

/// Lookups by marks, which different names may share.
@Suite struct FieldMarkTests {
  @Test func `names with the same mark are distinguished`() {
    let (asked, other) = (FieldName("Content-Type"), FieldName("Cookie-Taste"))
    #expect(asked.mark == other.mark)
    var fields = Fields()
    fields.append(other, "plain")
    #expect(!fields.contains(asked) && fields.value(asked) == nil)
    #expect(fields.combinedValue(asked) == nil)
    fields.append(asked, "text/plain")
    #expect(fields.value(asked).map { Array($0) } == Array("text/plain".utf8))
  }

  @Test func `a name is found in any letter case`() {
    for written in ["Origin", "ORIGIN", "origin", "oRiGiN"] {
      var fields = Fields()
      fields.append(FieldName(written), "null")
      #expect(fields.contains(.origin))
      #expect(fields.combinedValue(FieldName("oRIGIn")) == Array("null".utf8))
    }
  }
}
