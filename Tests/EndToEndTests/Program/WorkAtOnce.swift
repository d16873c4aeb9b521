import Foundation
import Synchronization

/// Has so many work at once, each on a thread of its own.
///
/// - Returns: What they made, in no order.
func workAtOnce<Result: Sendable>(
  _ count: Int,
  _ work: @escaping @Sendable (_ number: Int) -> Result
) -> [Result] {
  let results = Mutex<[Result]>([])
  let group = DispatchGroup()
  for number in 0..<count {
    group.enter()
    Thread.detachNewThread {
      let result = work(number)
      results.withLock { $0.append(result) }
      group.leave()
    }
  }
  group.wait()
  return results.withLock { $0 }
}
