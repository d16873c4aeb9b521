import TreeDomain

/// Frequent requests over one HTTP connection.
enum OverHTTPBenchmarks {
  /// Pages at random places over HTTP, with one connection and one request at a time.
  ///
  /// The cost of a minimal exchange is measured as well.
  static var pageOverHTTP: Benchmark {
    Benchmark(name: "page-http", smallSize: 1_000, largeSize: 1_000_000) { size in
      let service = LocalService()
      let session = service.store.makeSession(.tenfold, count: size)
      let connection = service.connect()
      let start = Array("/v1/sessions/".utf8) + session.bytes + "/rows?limit=100&offset=".utf8
      var random = SplitMix(seed: 10)
      let pages = measure("page of 100 rows over HTTP", size: size) {
        var path = start
        path.append(decimal: random.below(size - 100))
        return connection.checksum(of: ServiceRequest.get(path), status: 200)
      }
      let health = ServiceRequest.get("/healthz".utf8)
      let exchanges = measure("/healthz over HTTP", size: size) {
        connection.checksum(of: health, status: 200)
      }
      return pages + exchanges
    }
  }

  /// Insertions of leaves over one HTTP connection, each in its own batch.
  static var batchOverHTTP: Benchmark {
    Benchmark(name: "batch-http", smallSize: 1_000, largeSize: 1_000_000) { size in
      let service = LocalService()
      let session = service.store.makeSession(.tenfold, count: size)
      let connection = service.connect()
      let path = Array("/v1/sessions/".utf8) + session.bytes + "/batch".utf8
      var random = SplitMix(seed: 11)
      var number = size
      return measure("insert a leaf over HTTP", size: size) {
        var body = Array(#"{"operations":[{"op":"insert","key":"n"#.utf8)
        body.append(decimal: number)
        body += #"","parent":"n"#.utf8
        body.append(decimal: random.below(size))
        body += #"","first":true,"object":{"title":"Leaf","size":4096,"kind":"file"}}]}"#.utf8
        number += 1
        return connection.checksum(of: ServiceRequest.post(path, body), status: 200)
      }
    }
  }

  /// Creation of sessions of a shared tree over HTTP, with each rule of expansion.
  static var sessionOverHTTP: Benchmark {
    Benchmark(name: "session-http", smallSize: 1_000, largeSize: 1_000_000) { size in
      let service = LocalService()
      let tree = service.store.makeTree(.tenfold, count: size)
      let connection = service.connect()
      return [#""all""#, #""none""#, "3"].flatMap { rule in
        let body = Array(#"{"tree":""#.utf8) + tree.bytes + #"","expansion":\#(rule)}"#.utf8
        let request = ServiceRequest.post("/v1/sessions".utf8, body)
        return measure("session over HTTP, rule \(rule)", size: size, operations: 300) {
          connection.checksum(of: request, status: 201)
        }
      }
    }
  }

  private static func measure(
    _ label: String,
    size: Int,
    operations: Int = 5_000,
    _ exchange: () -> UInt64
  ) -> [Measurement] {
    Measurement.latencies(label, size: size, operations: min(operations, size / 20), exchange)
  }
}

extension ServiceConnection {
  /// Sends a request, which must be answered with a status; returns the checksum of the answer.
  func checksum(of request: [UInt8], status: Int) -> UInt64 {
    let actual = exchange(request)
    precondition(actual == status, String(decoding: body, as: UTF8.self))
    return checksum
  }
}
