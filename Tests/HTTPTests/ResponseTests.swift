import Testing

@testable import HTTP

@Suite struct ResponseTests {
  private func bytes(
    _ response: Response,
    as form: ResponseSerializer.Form = ResponseSerializer.Form()
  ) -> String {
    var bytes: [UInt8] = []
    let content = ResponseSerializer.append(
      response,
      as: form,
      date: DateStamp(unixSeconds: 784_111_777),
      to: &bytes
    )
    return String(text: bytes + content)
  }

  @Test func `a response has the common fields`() {
    let response = Response(.ok, contentType: "text/plain", body: Array("hello".utf8))
    #expect(
      bytes(response) == """
        HTTP/1.1 200 OK\r
        Date: Sun, 06 Nov 1994 08:49:37 GMT\r
        Content-Type: text/plain\r
        Content-Length: 5\r
        X-Content-Type-Options: nosniff\r
        Cache-Control: no-store\r
        \r
        hello
        """
    )
  }

  @Test(arguments: [Status.noContent, .notModified])
  func `a status without content has no length and keeps its tag`(_ status: Status) {
    var response = Response(status, body: Array("never sent".utf8))
    response.fields.append(.eTag, "\"1\"")
    let text = bytes(response)
    #expect(!text.contains("Content-Length") && text.hasSuffix("\r\n\r\n"))
    #expect(text.contains("\r\nETag: \"1\"\r\n"))
  }

  @Test func `Cache-Control can be overridden`() {
    var response = Response(.ok)
    response.fields.append(.cacheControl, "max-age=60")
    #expect(bytes(response).contains("\r\nCache-Control: max-age=60\r\n"))
    #expect(!bytes(response).contains("no-store"))
  }

  @Test func `a status without a reason keeps the space before it`() {
    #expect(bytes(Response(Status(299))).hasPrefix("HTTP/1.1 299 \r\n"))
  }

  @Test(arguments: [0, 7, 10, 99, 12_345])
  func `Content-Length is the length of the content`(_ count: Int) {
    let response = Response(.ok, body: [UInt8](repeating: 0x61, count: count))
    #expect(bytes(response).contains("\r\nContent-Length: \(count)\r\n"))
  }

  @Test(arguments: [
    (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
    (951_868_799, "Tue, 29 Feb 2000 23:59:59 GMT"),
    (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"),
    (1_735_689_599, "Tue, 31 Dec 2024 23:59:59 GMT"),
    (253_402_300_799, "Fri, 31 Dec 9999 23:59:59 GMT"),
  ])
  func `dates are formatted according to RFC 9110`(seconds: Int, text: String) {
    #expect(String(text: DateStamp(unixSeconds: seconds).bytes) == text)
  }
}

@Suite struct ProblemTests {
  @Test func `a problem is JSON with its members escaped`() {
    var problem = Problem(.invalidRequest, detail: "a \"b\" \\ \u{1}\n é")
    problem.members = [("limit", .integer(-3)), ("key", .string("k\t")), ("index", .null)]
    let expected =
      #"{"type":"/problems/invalid-request","title":"Invalid request","status":400,"#
      + #""detail":"a \"b\" \\ \u0001\u000a é","code":"invalid-request","#
      + #""limit":-3,"key":"k\u0009","index":null}"#
    #expect(String(text: problem.json) == expected)
  }

  @Test(arguments: ProblemCode.allCases)
  func `every code has an error status and a title`(_ code: ProblemCode) {
    #expect((400...599).contains(code.status.code))
    #expect(!code.title.isEmpty)
  }

  @Test func `405 lists the allowed methods`() {
    let response = Problem.methodNotAllowed(allowed: [.get, .head]).response
    #expect(response.status == .methodNotAllowed)
    #expect(response.fields.value(.allow)?.elementsEqual("GET, HEAD".utf8) == true)
  }
}

@Suite struct FieldsTests {
  private func fields(_ raw: String) -> Fields? {
    Exchange(Array("GET / HTTP/1.1\r\n\(host)\(raw)\r\n".utf8)).requests.first?.fields
  }

  @Test func `names are found in any letter case`() {
    let value = fields("x: 1\r\nIF-NONE-MATCH: \"2\"\r\n")?.value(.ifNoneMatch)
    #expect(value?.elementsEqual("\"2\"".utf8) == true)
  }

  @Test func `a name that is equal only by Unicode case folding is not found`() {
    #expect(fields("Accept: a\r\n")?.contains(FieldName("Accept-")) == false)
    #expect(!equalIgnoringCase("\u{212A}eep".utf8, "keep".utf8))
    #expect(!equalIgnoringCase("@".utf8, "`".utf8))
  }

  @Test func `repeated fields are joined in order`() {
    let fields = fields("Accept: a\r\nB: c\r\naccept:\r\nACCEPT: \t d \r\n")
    #expect(fields?.combinedValue(.accept).map { String(text: $0) } == "a, , d")
    #expect(fields?.value(.accept)?.elementsEqual("a, , d".utf8) == true, "not one of them")
    #expect(fields?.value(FieldName("B"))?.elementsEqual("c".utf8) == true)
    #expect(fields?.combinedValue(.vary) == nil)
    #expect(fields?.count == 5)
  }
}
