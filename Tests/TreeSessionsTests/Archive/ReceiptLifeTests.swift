import TestSupport
import Testing
import TreeDomain
import TreeStorage

@testable import TreeSessions

/// A receipt exists only while it is needed.
struct ReceiptLifeTests {
  private final class Witness {
    weak var receipt: (any Receipt)?

    init(_ durability: Durability) { receipt = durability.receipt }
  }

  @Test func `receipts of answered changes are freed`() throws {
    let commits = Desk()
    let store = try SessionStore(
      storage: MemoryStorage(),
      clock: { 1_000 },
      commit: { commits.assign($0) }
    )
    try store.make("t")
    let session = try StoreUnderTest(#"{"tree":"t"}"#, in: store)
    var witnesses: [Witness] = []
    for key in 0..<5 {
      do {
        let answer = try session.apply(#"{"op":"insert","key":"\#(key)"}"#)
        witnesses.append(Witness(answer.durability))
      }
      #expect(witnesses[key].receipt?.outcome == nil)
      while commits.count > 0 { commits.work() }
    }
    // The tree retains the last one.
    #expect(witnesses.last?.receipt != nil)
    #expect(witnesses.dropLast().allSatisfy { $0.receipt == nil })
  }
}
