import HTTPServer
import Synchronization
import TreeDomain

/// Pages over HTTP with many other connections, and for several clients on one loop and on two.
enum ConnectionBenchmark {
  static var benchmark: Benchmark {
    Benchmark(name: "connections", smallSize: 1_000, largeSize: 1_000_000) { size in
      Processor.allowDescriptors(20_000)
      return besideOthers(size: size) + onLoops(size: size)
    }
  }

  private static func besideOthers(size: Int) -> [Measurement] {
    let service = LocalService()
    let session = LeafInserter(service, size: size, tree: "t").session
    var reader = PageReader(service.port, session, rows: size)
    let pages = max(20, min(size / 250, 4_000))
    _ = reader.read(until: { true }, andThen: pages / 4)
    let alone = reader.read(until: { true }, andThen: pages)
    let checksum = reader.page(at: size / 2)
    return Measurement.percentiles("page alone", alone, size: size, checksum: checksum)
      + HeldConnections.Kind.allCases.flatMap { kind in
        let count = size > 1_000 ? kind.count : 20
        // When this is answered, those of the kind before are closed.
        _ = reader.page(at: 0)
        let before = allocatedBytes()
        let held = HeldConnections(kind, count: count, at: service.port, session, size: size)
        let bytes = Measurement(
          label: "each \(kind.rawValue) connection, memory",
          size: size,
          value: Double(allocatedBytes() - before) / Double(count),
          unit: .bytes,
          checksum: checksum
        )
        let times = reader.read(until: { held.isOver }, andThen: pages)
        return Measurement.percentiles(
          "page beside \(count) \(kind.rawValue)",
          times,
          size: size,
          checksum: checksum
        ) + [bytes]
      }
  }

  private static func onLoops(size: Int) -> [Measurement] {
    [1, 2].flatMap { loops in
      let service = LocalService(loops: loops)
      let session = service.store.makeSession(.tenfold, count: size)
      let readers = ReaderCrowd(8, at: service.port, session, rows: size)
      let times = readers.read(pages: max(5, min(size / 250, 4_000)))
      let checksum = PageReader(service.port, session, rows: size).page(at: size / 2)
      return Measurement.percentiles(
        "page for 8 clients, loops: \(loops)",
        times,
        size: size,
        checksum: checksum
      )
    }
  }
}

/// Clients that read pages concurrently, each on its own thread.
private struct ReaderCrowd {
  let count: Int
  let port: UInt16
  let session: SessionID
  let rows: Int

  init(_ count: Int, at port: UInt16, _ session: SessionID, rows: Int) {
    self.count = count
    self.port = port
    self.session = session
    self.rows = rows
  }

  /// Reads a number of pages with each client; returns the duration of each page.
  func read(pages: Int) -> [Duration] {
    let times = TimeList()
    do {
      let threads = try WorkerPool(threads: count, maxQueued: count)
      for _ in 0..<count {
        threads.assign { [port, session, rows] in
          var reader = PageReader(port, session, rows: rows)
          times.append(reader.read(until: { true }, andThen: pages))
        }
      }
      threads.stop(finishing: true)
    } catch {
      preconditionFailure("a benchmark's clients do not start: \(error)")
    }
    return times.all
  }
}

/// Durations that several threads add.
private final class TimeList: Sendable {
  private let times = Mutex<[Duration]>([])

  var all: [Duration] { times.withLock { $0 } }

  func append(_ more: [Duration]) { times.withLock { $0 += more } }
}
