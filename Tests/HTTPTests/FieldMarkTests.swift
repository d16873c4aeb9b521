import Testing

@testable import HTTP

/// A name is looked for by its mark first, which others may have as well.
@Suite struct FieldMarkTests {
  @Test func `names of one mark are told apart`() {
    let (asked, other) = (FieldName("Content-Type"), FieldName("Cookie-Taste"))
    #expect(asked.mark == other.mark)
    var fields = Fields()
    fields.append(other, "plain")
    #expect(!fields.contains(asked) && fields.value(asked) == nil)
    #expect(fields.combinedValue(asked) == nil)
    fields.append(asked, "text/plain")
    #expect(fields.value(asked).map { Array($0) } == Array("text/plain".utf8))
  }

  @Test func `a name is found however it is written`() {
    for written in ["Origin", "ORIGIN", "origin", "oRiGiN"] {
      var fields = Fields()
      fields.append(FieldName(written), "null")
      #expect(fields.contains(.origin))
      #expect(fields.combinedValue(FieldName("oRIGIn")) == Array("null".utf8))
    }
  }
}
