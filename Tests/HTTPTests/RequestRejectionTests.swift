import Foundation
import Testing

@testable import HTTP

@Suite struct RequestRejectionTests {
  /// The rules that the test cases break, by name.
  private static let rules = Dictionary(
    (allRefusals + lateRefusals).map { (name(of: $0.rule), $0.rule) },
    uniquingKeysWith: { first, _ in first }
  )

  private static func name(of rule: RequestRejection) -> String {
    String("\(rule)".prefix { $0 != "(" })
  }

  /// Returns the names of all rules, read from their declarations.
  private static func declaredNames() throws -> [String] {
    let root = URL(filePath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let file = root.appending(path: "Sources/HTTP/RequestRejection.swift")
    let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
    return lines.compactMap { line in
      let words = line.split(separator: " ")
      return words.first == "case" ? String(words[1].prefix { $0 != "(" }) : nil
    }
  }

  @Test func `every rule has a test case and its own problem`() throws {
    let names = try Self.declaredNames()
    #expect(names.count >= 34 && Set(names).count == names.count)
    #expect(Set(Self.rules.keys) == Set(names))
    let details = Self.rules.values.map { String(text: $0.problem.json) }
    #expect(Set(details).count == details.count)
  }

  @Test(arguments: (allRefusals + lateRefusals).filter { "\($0.rule)".contains("limit: ") })
  func `a problem with a limit has it as a member`(_ refusal: RefusalCase) throws {
    let limit = "\(refusal.rule)".split(separator: " ")[1].dropLast()
    #expect(Int(limit) != nil)
    #expect(Exchange(refusal).answerText.hasSuffix(#","limit":\#(limit)}"#))
  }

  @Test(arguments: [
    (501, ["tunnelRefused", "unknownMethod", "unknownTransferCoding"]),
    (505, ["unsupportedVersion"]), (414, ["requestLineTooLong", "tooManyParameters"]),
    (421, ["misdirected"]),
    (417, ["unknownExpectation"]), (413, ["contentTooLarge"]),
    (408, ["headTimeout", "bodyTimeout"]),
    (431, ["headerTooLarge", "tooManyFields", "chunkOverheadTooLarge"]),
  ])
  func `rules have the status of their section, else 400`(
    status: Int,
    names: [String]
  ) {
    let others = Self.rules.filter { $0.value.code.status.code == status }
    #expect(Set(others.keys) == Set(names))
    let statuses = Set(Self.rules.values.map(\.code.status.code))
    #expect(statuses == [400, 408, 413, 414, 417, 421, 431, 501, 505])
  }

  /// The refused requests with the method HEAD.
  private static let refusedHeads: [(raw: [UInt8], limits: Limits)] =
    allRefusals.compactMap { refusal in
      guard let method = ["GET ", "POST "].first(where: { refusal.raw.starts(with: $0.utf8) })
      else { return nil }
      return (Array("HEAD ".utf8) + refusal.raw.dropFirst(method.utf8.count), refusal.limits)
    } + ["HEAD\r\n", "HEAD\n"].map { (Array($0.utf8), Limits()) }

  @Test func `a refusal of HEAD has no content`() {
    #expect(Self.refusedHeads.count > 150)
    for (raw, limits) in Self.refusedHeads {
      expectNoContent(Exchange(raw, limits: limits), String(text: raw))
    }
  }

  @Test(arguments: [
    "HEAD ", "HEAD / HTTP/1.1\r\n",
    "HEAD / HTTP/1.1\r\n\(host)Content-Length: 9\r\n\r\na",
  ])
  func `an incomplete HEAD gets a refusal without content`(part: String) {
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
