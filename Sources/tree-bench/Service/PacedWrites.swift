import Glibc
import HTTPServer
import Synchronization

/// A client that inserts leaves on its own thread, with a pause after each.
final class PacedWrites: Sendable {
  private let thread: WorkerPool
  private let outcome = Mutex<(checksum: UInt64, times: [Duration])?>(nil)

  /// Starts the client.
  ///
  /// - Parameters:
  ///   - count: The number of leaves.
  ///   - microseconds: The pause.
  ///   - makeClient: Makes the client, on its own thread.
  init(
    _ count: Int,
    pausing microseconds: UInt32 = 4_000,
    _ makeClient: @escaping @Sendable () -> LeafInserter
  ) {
    do {
      thread = try WorkerPool(threads: 1, maxQueued: 1)
    } catch {
      preconditionFailure("a benchmark's client does not start: \(error)")
    }
    thread.assign { [self] in
      let client = makeClient()
      let clock = ContinuousClock()
      var checksum: UInt64 = 0
      var times: [Duration] = []
      for _ in 0..<count {
        times.append(clock.measure { checksum = checksum &* 31 &+ client.insert() })
        usleep(microseconds)
      }
      outcome.withLock { [times] in $0 = (checksum, times) }
    }
  }

  /// True if all leaves are inserted.
  var isOver: Bool { outcome.withLock { $0 != nil } }

  /// Waits until all leaves are inserted; returns a checksum and the duration of each insertion.
  func wait() -> (checksum: UInt64, times: [Duration]) {
    thread.stop(finishing: true)
    guard let outcome = outcome.withLock({ $0 }) else { preconditionFailure("it is not over") }
    return outcome
  }
}
