import JSON
import TreeDomain
import TreeSessions

extension Benchmark {
  /// Pages of a session at random places: the rows, what is put around them, and both, which is
  /// what a request for a page costs beside HTTP.
  static var encoding: Benchmark {
    Benchmark(name: "page-json", smallSize: 1_000, largeSize: 1_000_000) { size in
      let store = LocalService.makeStore()
      let session = store.makeSession(.tenfold, count: size)
      let page = store.page(of: session, from: size / 2)
      return [
        measurePages("100 rows of a session as JSON", size: size) { offset in
          UInt64(store.page(of: session, from: offset).rows.text.count)
        },
        measurePages("what is put around them", size: size) { _ in UInt64(json(of: page).count) },
        measurePages("a page of 100 rows as JSON", size: size) { offset in
          UInt64(json(of: store.page(of: session, from: offset)).count)
        },
      ]
    }
  }

  private static func measurePages(
    _ label: String,
    size: Int,
    _ page: (_ offset: Int) -> UInt64
  ) -> Measurement {
    var random = SplitMix(seed: 12)
    let operations = size < 10_000 ? 10 : 10_000
    return Measurement(label, size: size, operations: operations) {
      (0..<operations).reduce(0) { checksum, _ in
        checksum &* 31 &+ page(random.below(size - 100))
      }
    }
  }

  private static func json(of page: RowPage) -> [UInt8] {
    var writer = JSONWriter()
    page.write(to: &writer)
    return writer.finish()
  }
}

extension SessionStore {
  /// A hundred rows of a session that lives and has them.
  fileprivate func page(of session: SessionID, from offset: Int) -> RowPage {
    do {
      return try rows(of: session, RowQuery(.offset(offset, limit: 100)))
    } catch {
      preconditionFailure("a benchmark's page was refused: \(error)")
    }
  }
}
