import HTTP
import Synchronization
import Testing
import TreeDomain

@testable import TreeAPI

@Suite struct AuthorizingReceiverTests {
  /// A deferred lookup that ends when the test calls `answer()`.
  private final class PendingLookup: WorkExecutor {
    let job = Mutex<Job?>(nil)
    let refusal: Response?

    init(refusal: Response?) { self.refusal = refusal }

    func receiver() -> AuthorizingReceiver {
      AuthorizingReceiver(
        maxBytes: 1 << 24,
        executor: self,
        refusal: { [self] _ in refusal },
        reply: { body in .response(Response(.ok, body: body)) }
      )
    }

    func submit(_ job: Job) -> Bool {
      self.job.withLock { $0 = job }
      return true
    }

    func answer() { job.withLock { $0 }?.run(on: UnscheduledSlot(), of: self) }
  }

  private let content = [UInt8](repeating: 0x78, count: 100_000)

  @Test func `content is held until the sender is refused`() {
    let inquiry = PendingLookup(refusal: Response(.forbidden))
    let receiver = inquiry.receiver()
    #expect(receiver.begin() == nil && receiver.heldBytes == 0)
    #expect(receiver.receive(content[...]) == nil && receiver.heldBytes == 100_000)
    inquiry.answer()
    #expect(receiver.heldBytes == 0)
    #expect(receiver.receive(content[...])?.status == .forbidden && receiver.heldBytes == 0)
  }

  @Test func `little content is accepted before the sender is known`() {
    let inquiry = PendingLookup(refusal: nil)
    let receiver = inquiry.receiver()
    #expect(receiver.begin() == nil)
    for _ in 0..<10 { #expect(receiver.receive(content[...]) == nil) }
    #expect(receiver.receive(content[...])?.status == .serviceUnavailable)
    inquiry.answer()
    #expect(receiver.receive(content[...]) == nil && receiver.heldBytes == 1_100_000)
    guard case .response(let response) = receiver.finish() else {
      Issue.record("the sender is known")
      return
    }
    #expect(response.body.count == 1_100_000 && receiver.heldBytes == 0)
  }
}
