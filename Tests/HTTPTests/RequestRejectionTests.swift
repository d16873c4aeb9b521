import Testing

@testable import HTTP

@Suite struct RequestRejectionTests {
  /// The rules that need a limit or a clock to be broken.
  private static let elsewhere: [RequestRejection] = [
    .requestLineTooLong(limit: 1), .headerTooLarge(limit: 1), .tooManyFields(limit: 1),
    .chunkOverheadTooLarge(limit: 1), .headTimeout, .bodyTimeout,
  ]

  /// Every rule that a table or a test breaks, once.
  private static let rules = Dictionary(
    (allRefusals.map(\.rule) + elsewhere).map { (name(of: $0), $0) },
    uniquingKeysWith: { first, _ in first }
  )

  private static func name(of rule: RequestRejection) -> String {
    String("\(rule)".prefix { $0 != "(" })
  }

  @Test func `every rule is broken by a test, and has a problem of its own`() {
    #expect(Self.rules.count == 34)
    let details = Self.rules.values.map { String(text: $0.problem.json) }
    #expect(Set(details).count == details.count)
  }

  @Test(arguments: [
    (501, ["tunnelRefused", "unknownMethod", "unknownTransferCoding"]),
    (505, ["unsupportedVersion"]), (414, ["requestLineTooLong"]), (421, ["misdirected"]),
    (417, ["unknownExpectation"]), (413, ["contentTooLarge"]),
    (408, ["headTimeout", "bodyTimeout"]),
    (431, ["headerTooLarge", "tooManyFields", "chunkOverheadTooLarge"]),
  ])
  func `what breaks a rule has the status of its section, and is a bad request otherwise`(
    status: Int,
    names: [String]
  ) {
    let others = Self.rules.filter { $0.value.code.status.code == status }
    #expect(Set(others.keys) == Set(names))
    let statuses = Set(Self.rules.values.map(\.code.status.code))
    #expect(statuses == [400, 408, 413, 414, 417, 421, 431, 501, 505])
  }

  @Test(arguments: [
    "HEAD / HTTP/2.0\r\n", "HEAD / HTTP/1\r\n", "HEAD /# HTTP/1.1\r\n\(host)\r\n",
    "HEAD / HTTP/1.1\r\nA\r\n", "HEAD / HTTP/1.1\r\n\(host)Host: a\r\n",
    "HEAD / HTTP/1.1\r\n\(host)Content-Length: 99999999\r\n\r\n",
    "HEAD / HTTP/1.1\r\n\(host)Transfer-Encoding: chunked\r\n\r\nx",
    "HEAD / HTTP/1.1\r\nHost: evil.test\r\n\r\n", "HEAD / HTTP/1.1\r\n\(host)Expect: cake\r\n\r\n",
  ])
  func `whatever HEAD is refused for, there is no content`(_ raw: String) {
    let answer = Exchange(Array(raw.utf8)).answerText
    #expect(answer.contains("\r\nContent-Type: application/problem+json\r\n"))
    #expect(answer.hasSuffix("\r\n\r\n"))
  }
}
