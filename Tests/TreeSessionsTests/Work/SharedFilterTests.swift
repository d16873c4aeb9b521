import TestSupport
import Testing
import TreeDomain

@testable import TreeSessions

/// Checks that a changed object is tested once by each distinct filter, not by each session.
@Suite struct SharedFilterTests {
  private func filter(_ number: Int) -> String {
    let tests = (0..<99).map { #"{"by":"/t\#($0)","equals":\#(number)}"# }
    return #"{"filter":{"any":[\#(tests.joined(separator: ","))]}}"#
  }

  @Test func `equal filters cost one evaluation`() throws {
    func steps(_ filters: [Int]) throws -> Int {
      var tree = try MeteredTree(#"{"nodes":[{"key":"a","object":{}},{"key":"b","object":{}}]}"#)
      var sessions: [OpenSession] = []
      for number in filters { sessions.append(try tree.open(filter(number))) }
      let steps = try tree.apply([#"{"op":"update","key":"a","object":{"t98":7}}"#])
      for (session, number) in zip(sessions, filters) {
        let (shown, isMatch) = (tree.manager.content.rowCount(of: session), number == 7)
        #expect(shown == (isMatch ? 1 : 0))
      }
      return steps
    }
    let one = try steps([7])
    let equal = try steps(Array(repeating: 7, count: 50))
    #expect(one > 99 && equal < one + 50 * 20, "\(one) \(equal)")
    let distinct = try steps(Array(0..<50))
    #expect(distinct > 50 * 99)
  }
}
