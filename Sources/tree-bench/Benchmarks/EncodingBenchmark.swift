import TreeDomain
import TreeSessions

/// Pages of a session at random places: the cost of a request without HTTP.
enum EncodingBenchmark {
  static var benchmark: Benchmark {
    Benchmark(name: "page-json", smallSize: 1_000, largeSize: 1_000_000) { size in
      let store = LocalService.makeStore()
      let session = store.makeSession(.tenfold, count: size)
      var random = SplitMix(seed: 12)
      let operations = size < 10_000 ? 10 : 10_000
      let all = measure("a page of 100 rows as JSON", .all)
      let outline = measure("a page of 100 rows of key, depth and object", [.key, .depth, .object])
      return [all, outline]

      func measure(_ label: String, _ fields: RowFields) -> Measurement {
        Measurement(label, size: size, operations: operations) {
          (0..<operations).reduce(0) { checksum, _ in
            let page = store.page(of: session, fields, from: random.below(size - 100))
            return checksum &* 31 &+ UInt64(page.text.count)
          }
        }
      }
    }
  }
}
