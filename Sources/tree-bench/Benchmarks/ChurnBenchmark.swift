import TreeDomain
import TreeSessions

/// The memory that deleted sessions, deleted trees and expired idempotency keys leave behind.
///
/// Each figure is the growth of resident memory per item during the second half of the run.
enum ChurnBenchmark {
  static var benchmark: Benchmark {
    Benchmark(name: "churn", smallSize: 200, largeSize: 1_000_000) { size in
      let store = LocalService.makeStore()
      let tree = store.makeTree(.tenfold, count: 1_000)
      let session = store.makeSession(over: tree)
      return [
        measureChurn("left by a session", size) { number in
          let session = store.makeSession(over: tree)
          var batch = SoakBatch()
          batch.toggle(number % 100)
          let answer = try? store.apply(batch.batch, to: session, BatchOptions(format: .ranges))
          _ = try? store.deleteSession(session)
          return answer?.rowCount
        },
        measureChurn("left by a tree of ten nodes", size / 10) { _ in
          let tree = store.makeTree(.tenfold, count: 10)
          let session = store.makeSession(over: tree)
          let description = try? store.session(session, expectedRevision: nil)
          _ = try? store.deleteTree(tree)
          return description?.rowCount
        },
        measureChurn("left by an idempotency key", size) { number in
          var batch = SoakBatch()
          batch.toggle(number % 100)
          var options = BatchOptions(format: .ranges)
          let token = Array("key \(number)".utf8)
          options.idempotency = IdempotencyKey(token: token, fingerprint: 1)
          return try? store.apply(batch.batch, to: session, options).rowCount
        },
      ]
    }
  }

  private static func measureChurn(
    _ label: String,
    _ count: Int,
    _ comeAndGo: (_ number: Int) -> Int?
  ) -> Measurement {
    var checksum: UInt64 = 1
    var middle = 0
    for number in 0..<count {
      if number == count / 2 { middle = residentBytes() }
      checksum = checksum &* 31 &+ UInt64(comeAndGo(number) ?? 7)
    }
    return Measurement(
      label: label,
      size: count,
      value: Double(residentBytes() - middle) / Double(count - count / 2),
      unit: .bytes,
      checksum: checksum
    )
  }
}
