import TreeDomain
import TreeSessions

extension Benchmark {
  /// Pages of a session at random places: the cost of a request without HTTP.
  static var encoding: Benchmark {
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

extension SessionStore {
  /// Returns a hundred rows of a session, which must exist.
  fileprivate func page(
    of session: SessionID,
    _ fields: RowFields,
    from offset: Int
  ) -> RowPage {
    do {
      return try rows(of: session, RowQuery(.offset(offset, limit: 100), fields: fields))
    } catch {
      preconditionFailure("a benchmark's page was refused: \(error)")
    }
  }
}
