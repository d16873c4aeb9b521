import TestSupport
import Testing
import TreeDomain

@testable import TreeSessions

/// Checks that a batch reads the sort key of each sibling once.
@Suite struct SortedPlaceWorkTests {
  private static let sort = #"[{"by":"/q","compare":"number"}]"#

  /// Creates siblings with the given values, in objects of about `bytes` bytes each.
  private func makeTree(_ values: [Int], bytes: Int, isSorted: Bool) throws -> MeteredTree {
    let text = String(repeating: "x", count: bytes)
    let nodes = values.enumerated().map { place, value in
      #"{"key":"k\#(place)","object":{"text":"\#(text)","q":\#(value)}}"#
    }
    let sort = isSorted ? #","sort":\#(Self.sort)"# : ""
    return try MeteredTree(#"{"nodes":[\#(nodes.joined(separator: ","))]\#(sort)}"#)
  }

  private func update(_ key: String, _ value: Int) -> String {
    #"{"op":"update","key":"\#(key)","object":{"q":\#(value)}}"#
  }

  private func insert(_ key: String, _ value: Int) -> String {
    #"{"op":"insert","key":"\#(key)","object":{"q":\#(value)},"sort":\#(Self.sort)}"#
  }

  @Test func `updates of one small sibling read each of the others once`() throws {
    var tree = try makeTree(Array(0..<64), bytes: 6_400, isSorted: true)
    try tree.apply([update("k7", 7)])
    let updates = (0..<190).map { update("k7", $0 % 64) }
    // The bytes of each of the 64 siblings count 100 steps.
    let steps = try tree.apply(updates)
    #expect(steps < 64 * 110 + 190 * 80)
    #expect(steps > 6 * 100, "nothing is counted")
  }

  @Test func `an update among sorted siblings reads few of them`() throws {
    var tree = try makeTree(Array(0..<512), bytes: 6_400, isSorted: true)
    try tree.apply([#"{"op":"sort","by":\#(Self.sort)}"#])
    let steps = try tree.apply([update("k7", 300)])
    #expect((9 * 100..<14 * 110).contains(steps), "\(steps)")
    // After an undo the siblings are still known to be sorted.
    let refused = refusal { () throws(ServiceError) in
      try tree.apply([#"{"op":"insert","key":"a","first":true}"#, update("none", 1)])
    }
    #expect(refused?.code == .nodeNotFound)
    let again = try tree.apply([update("k7", 200)])
    #expect(again < 14 * 110, "\(again)")
  }

  @Test(arguments: [false, true])
  func `insertions among unsorted siblings take near-linear work`(mixes: Bool) throws {
    func steps(_ count: Int) throws -> Int {
      let values = [9, 1, 5] + Array(repeating: 3, count: count)
      var tree = try makeTree(values, bytes: 64, isSorted: false)
      var operations: [String] = []
      for number in 0..<count {
        operations.append(insert("n\(number)", number * 7_919 % 100))
        if mixes, number % 3 == 0 {
          operations.append(#"{"op":"insert","key":"m\#(number)","first":true}"#)
          operations.append(#"{"op":"remove","key":"n\#(number)"}"#)
        }
      }
      return try tree.apply(operations)
    }
    let (few, many) = (try steps(500), try steps(1_000))
    #expect(Double(many) < 2.3 * Double(few), "\(few) \(many)")
  }

  @Test func `a sort reads each sibling once, for any number of criteria`() throws {
    let descriptors = (0..<16).map { #"{"by":"/q\#($0)"}"# }.joined(separator: ",")
    func steps(by descriptors: String) throws -> Int {
      var tree = try makeTree(Array(0..<64), bytes: 6_400, isSorted: false)
      return try tree.apply([#"{"op":"sort","by":[\#(descriptors)]}"#])
    }
    let (one, all) = (try steps(by: #"{"by":"/q"}"#), try steps(by: descriptors))
    #expect(one > 64 * 100 && Double(all) < 1.2 * Double(one), "\(one) \(all)")
    var tree = try makeTree(Array(0..<64), bytes: 6_400, isSorted: false)
    let sorts = Array(repeating: #"{"op":"sort","by":[\#(descriptors)]}"#, count: 10)
    let steps = try tree.apply(sorts)
    #expect(steps < 2 * all, "what is sorted is sorted again")
  }
}
