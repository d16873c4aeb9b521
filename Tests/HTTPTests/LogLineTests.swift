import Testing

@testable import HTTP

@Suite struct LogLineTests {
  private func record(_ input: String) throws -> ExchangeRecord {
    var exchange = Exchange()
    exchange.feed(input)
    return try #require(exchange.records.first)
  }

  private func line(_ record: ExchangeRecord, milliseconds: Int = 784_111_777_042) -> String {
    String(
      text: record.logLine(
        route: "/a/{b}",
        remote: "::1",
        unixMilliseconds: milliseconds,
        nanoseconds: 1_234_567
      )
    )
  }

  @Test func `a log line describes an exchange without secrets`() throws {
    var record = try record(
      "GET /a/%22b%22^|?token=SECRET HTTP/1.1\r\nHost: localhost\r\nX-Request-Id: r\"1\\\r\n"
        + "Authorization: Bearer SECRET\r\n"
        + "traceparent: 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01\r\n\r\n"
    )
    record.caller = "ops"
    #expect(
      line(record) == #"""
        {"time":"1994-11-06T08:49:37.042Z","request":"r\"1\\",\#
        "trace":"0af7651916cd43dd8448eb211c80319c","span":"b7ad6b7169203331","remote":"::1",\#
        "method":"GET","path":"/a/%22b%22^|","route":"/a/{b}","status":200,\#
        "requestBytes":\#(record.requestBytes),"answerBytes":\#(record.answerBytes),\#
        "milliseconds":1.234,"key":"ops","complete":true}

        """#
    )
  }

  @Test func `unknown values are null or omitted`() throws {
    let text = line(try record("\u{1}SECRET / HTTP/1.1\r\n"))
    #expect(text.contains(#""method":null,"path":null,"route":"/a/{b}","status":400"#))
    #expect(!text.contains("key") && !text.contains("trace") && !text.contains("SECRET"))
  }

  @Test func `arbitrary bytes are escaped`() {
    var line = LogLine()
    let bytes = (0...255).map { UInt8($0) }
    line.add("x", text: bytes.span)
    line.add("y", thousandths: 1_000_007)
    let text = String(text: line.finish())
    #expect(text.hasPrefix(#"{"x":"\u0000\u0001"#) && text.contains(#"\u001f !\"#))
    #expect(text.contains(#"~\u007f\u0080"#) && text.hasSuffix(#"\u00ff","y":1000.007}"# + "\n"))
    #expect(text.utf8.dropLast().allSatisfy { (0x20...0x7E).contains($0) })
  }

  @Test(arguments: [
    (0, "1970-01-01T00:00:00.000Z"),
    (951_782_400_001, "2000-02-29T00:00:00.001Z"),
    (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
  ])
  func `times are formatted according to RFC 3339`(milliseconds: Int, text: String) {
    #expect(String(text: Timestamp.rfc3339(unixMilliseconds: milliseconds)) == text)
  }
}
