import Foundation
import Synchronization

/// Runs `work` on `count` threads at once.
///
/// - Returns: The results, in any order.
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
