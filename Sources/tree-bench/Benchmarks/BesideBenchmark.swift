import HTTPServer
import Synchronization
import TreeDomain

/// Pages of a tree over HTTP: alone, while another tree is busy, and while the same tree is.
///
/// The last is measured on a server process, with small writes beside the pages, and again with
/// a database if the process is started here. It is the only part for a program that was not
/// built together with this one.
enum BesideBenchmark {
  static func benchmark(_ target: ServiceTarget) -> Benchmark {
    Benchmark(name: "beside", smallSize: 200, largeSize: 1_000_000) { size in
      let ownService = target.isOwn ? besideOtherTrees(size: size) : []
      let inMemory = ownService + SameTree(target, size: size).measure()
      guard target.port == nil else { return inMemory }
      return inMemory + SameTree.stored(target, size: size)
        + SameTree.beingSaved(target, size: size)
    }
  }

  private static func besideOtherTrees(size: Int) -> [Measurement] {
    let service = LocalService()
    let thread = makeThread()
    defer { thread.stop() }
    let session = service.store.makeSession(.tenfold, count: size)
    var reader = PageReader(service.port, session, rows: size)
    let pages = max(20, min(size / 100, 2_000))
    _ = reader.read(until: { true }, andThen: pages / 10)
    let alone = reader.read(until: { true }, andThen: pages)
    var found = Measurement.percentiles(
      "page alone",
      alone,
      size: size,
      checksum: reader.page(at: size / 2)
    )
    for (name, make) in LongRequest.all {
      let request = make(service.store, size)
      let work = LongWork(request, port: service.port, on: thread)
      let times = reader.read(until: { work.isOver }, andThen: pages / 20)
      let (checksum, time) = work.outcome
      found += Measurement.percentiles(
        "page beside \(name)",
        times,
        size: size,
        checksum: checksum
      )
      found.append(figure("\(name), itself", time, size, checksum))
      if let tree = request.tree { service.store.delete(tree) }
    }
    return found
  }

  /// Makes the thread of the other client, whose requests are not timed here.
  private static func makeThread() -> WorkerPool {
    do {
      return try WorkerPool(threads: 1, maxQueued: 1, niceness: 10)
    } catch {
      preconditionFailure("a benchmark's client does not start: \(error)")
    }
  }

  private static func figure(
    _ label: String,
    _ time: Duration,
    _ size: Int,
    _ checksum: UInt64
  ) -> Measurement {
    Measurement(label: label, size: size, value: time / .nanoseconds(1), checksum: checksum)
  }
}

/// A long request of another client, which runs while pages are read.
private final class LongWork: Sendable {
  private let over = Mutex<(checksum: UInt64, time: Duration)?>(nil)

  /// Sends a request to a port of this machine, on another thread.
  init(_ request: LongRequest, port: UInt16, on thread: WorkerPool) {
    let isTaken = thread.submit { [self] in
      let connection = ServiceConnection(port: port)
      var checksum: UInt64 = 0
      let time = ContinuousClock().measure { checksum = connection.checksum(of: request) }
      over.withLock { $0 = (checksum, time) }
    }
    precondition(isTaken, "a benchmark has one request under way at a time")
  }

  var isOver: Bool { over.withLock { $0 != nil } }

  /// The checksum of the answer, and the duration.
  ///
  /// - Precondition: ``isOver``.
  var outcome: (checksum: UInt64, time: Duration) {
    guard let outcome = over.withLock({ $0 }) else { preconditionFailure("it is not over") }
    return outcome
  }
}

extension ServiceConnection {
  fileprivate func checksum(of request: LongRequest) -> UInt64 {
    guard !request.isStreamed else { return UInt64(streamedBytes(of: request.bytes)) }
    let status = exchange(request.bytes)
    precondition(200..<300 ~= status, String(decoding: body.prefix(1_000), as: UTF8.self))
    // The counts at the end; the names of trees stand before them, all of one length.
    return body.suffix(20).reduce(UInt64(status + 1_000 * body.count)) { $0 &* 31 &+ UInt64($1) }
  }
}
