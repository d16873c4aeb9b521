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

  /// Everything that is refused of other methods, asked with HEAD.
  private static let refusedHeads: [[UInt8]] =
    allRefusals.compactMap { refusal in
      guard let method = ["GET ", "POST "].first(where: { refusal.raw.starts(with: $0.utf8) })
      else { return nil }
      return Array("HEAD ".utf8) + refusal.raw.dropFirst(method.utf8.count)
    } + [
      Array("HEAD /\(String(repeating: "a", count: 9_000)) HTTP/1.1\r\n".utf8),
      Array("HEAD / HTTP/1.1\r\nA: \(String(repeating: "a", count: 40_000))\r\n".utf8),
      Array("HEAD\r\n".utf8), Array("HEAD\n".utf8),
    ]

  @Test func `whatever HEAD is refused for, there is no content`() {
    #expect(Self.refusedHeads.count > 150)
    for raw in Self.refusedHeads { expectNoContent(Exchange(raw), String(text: raw)) }
  }

  @Test(arguments: [
    "HEAD ", "HEAD / HTTP/1.1\r\n",
    "HEAD / HTTP/1.1\r\n\(host)Content-Length: 9\r\n\r\na",
  ])
  func `HEAD that does not come to its end gets no content`(part: String) {
    var late = Exchange(Array(part.utf8))
    late.pass(milliseconds: 100_000)
    expectNoContent(late, part)
    var shed = Exchange(Array(part.utf8))
    shed.state.giveUp(with: Problem.overloaded(retryAfter: 1).response, now: shed.now)
    shed.run()
    expectNoContent(shed, part)
  }

  private func expectNoContent(_ exchange: Exchange, _ name: String) {
    let answer = exchange.answerText
    #expect(answer.contains("\r\nContent-Type: application/problem+json\r\n"), "\(name)")
    #expect(answer.hasSuffix("\r\n\r\n"), "\(name)")
  }
}
