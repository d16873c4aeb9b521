import Synchronization
import Testing
import TreeDomain

/// Tests that decoding a long body asks its control regularly.
@Suite struct `Reading long bodies` {
  /// A control that counts its checks, and stops the work after some of them.
  private final class Count: WorkControl {
    private let last: Int
    private let checks = Atomic(0)

    init(last: Int = .max) { self.last = last }

    var value: Int { checks.load(ordering: .relaxed) }

    func check() throws(ServiceError) {
      guard checks.add(1, ordering: .relaxed).newValue > last else { return }
      throw ServiceError(.overloaded, "It is stopped.")
    }
  }

  private static let count = 10_000

  static let bodies: [(String, @Sendable ([UInt8], DecodingLimits) throws(ServiceError) -> Void)] =
    [
      (
        operations(#"{"op":"update","key":"k","object":{"v":1}}"#),
        { body, limits throws(ServiceError) in _ = try Batch.decode(body: body, limits: limits) }
      ),
      (
        operations(#"{"op":"reveal","keys":["k"],"select":true}"#),
        { body, limits throws(ServiceError) in _ = try Batch.decode(body: body, limits: limits) }
      ),
      (
        #"{"nodes":["# + list(#"{"key":"k","object":[1,2,3]}"#) + "]}",
        { body, limits throws(ServiceError) in _ = try NewTree.decode(body: body, limits: limits) }
      ),
      (
        #"{"expandedKeys":["# + list(#""a key of a node that is expanded""#) + "]}",
        { body, limits throws(ServiceError) in
          _ = try NewSession.decode(body: body, limits: limits)
        }
      ),
    ]

  private static func list(_ element: String) -> String {
    Array(repeating: element, count: count).joined(separator: ",")
  }

  private static func operations(_ operation: String) -> String {
    #"{"operations":["# + list(operation) + "]}"
  }

  @Test(arguments: bodies.indices)
  func `a body is checked every 16 KiB and abandoned when a check fails`(number: Int) throws {
    let (text, decode) = Self.bodies[number]
    let body = Array(text.utf8)
    let all = Count()
    try decode(body, DecodingLimits().controlled(by: all))
    let expected = body.count / 16_384
    #expect((expected / 2...expected + 1).contains(all.value))
    let few = Count(last: 3)
    #expect(throws: ServiceError(.overloaded, "It is stopped.")) {
      try decode(body, DecodingLimits().controlled(by: few))
    }
    #expect(few.value == 4)
  }
}
