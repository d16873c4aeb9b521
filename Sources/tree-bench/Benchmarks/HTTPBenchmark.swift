import Glibc

/// The most frequent requests, compared with nginx sending a constant and a file as long as a
/// page.
///
/// A single event loop and a single nginx process run alternately on the same processor, and wrk
/// on another. Without wrk, and at a small size, one client in this process sends the requests,
/// and nothing is compared.
enum HTTPBenchmark {
  static var benchmark: Benchmark {
    Benchmark(name: "http", smallSize: 1_000, largeSize: 1_000_000) { size in
      let sample = ServiceSample(size: size)
      let alone = sample.exchanges.map { exchange in
        let operations = min(size / 20, 2_000)
        return Measurement("\(exchange.label), one client", size: size, operations: operations) {
          (0..<operations).reduce(0) { sum, _ in sum &* 31 &+ exchange.client() }
        }
      }
      guard size > 1_000, LoadGenerator.isInstalled else { return alone }
      Processor.takeFirst()
      defer { Processor.takeAll() }
      return alone + loads(on: sample, size: size, checksums: alone.map(\.checksum))
    }
  }

  /// Measures all exchanges with wrk alternately, for several rounds.
  private static func loads(
    on sample: ServiceSample,
    size: Int,
    checksums: [UInt64]
  ) -> [Measurement] {
    let folder = ScratchFolder()
    folder.write(String(decoding: sample.page, as: UTF8.self), as: "page")
    let nginx = Nginx.isInstalled ? Nginx(serving: folder) : nil
    var comparisons = zip(sample.exchanges, checksums).flatMap { exchange, checksum in
      exchange.connections.map { Comparison(exchange, connections: $0, checksum: checksum) }
    }
    for round in 0..<5 {
      for place in comparisons.indices {
        comparisons[place].run(round, on: sample, beside: nginx, in: folder)
      }
    }
    return comparisons.flatMap { $0.measurements(size: size) }
  }
}

/// A kind of request on a number of connections, and its counterpart of nginx.
private struct Comparison {
  let exchange: ServiceSample.Exchange
  let connections: Int
  let checksum: UInt64
  /// The wall time and processor time per request, for each round.
  var own: [Cost] = []
  var peer: [Cost] = []

  struct Cost {
    var wall: Double
    var processor: Double

    /// Measures a process for a second under a load.
    init(_ load: LoadGenerator.Load, port: UInt16, of process: pid_t) {
      let clock = ContinuousClock()
      let start = Processor.time(of: process)
      var rate = 0.0
      let seconds = clock.measure { rate = LoadGenerator.answersPerSecond(load, port: port) }
      wall = 1e9 / rate
      processor = (Processor.time(of: process) - start) / (rate * (seconds / .seconds(1)))
    }
  }

  init(_ exchange: ServiceSample.Exchange, connections: Int, checksum: UInt64) {
    self.exchange = exchange
    self.connections = connections
    self.checksum = checksum
  }

  mutating func run(
    _ round: Int,
    on sample: ServiceSample,
    beside nginx: Nginx?,
    in folder: borrowing ScratchFolder
  ) {
    var load = LoadGenerator.Load(connections: connections, path: exchange.path)
    if let script = exchange.script {
      load.script = folder.write(script(round), as: "requests.lua")
    }
    own.append(Cost(load, port: sample.service.port, of: getpid()))
    guard let nginx else { return }
    load = LoadGenerator.Load(connections: connections, path: exchange.peerPath)
    peer.append(Cost(load, port: nginx.port, of: nginx.process))
  }

  func measurements(size: Int) -> [Measurement] {
    let label = "\(exchange.label), \(connections) connections"
    func figure(_ name: String, _ values: [Double], _ unit: Measurement.Unit) -> Measurement {
      let middle = values.sorted()[values.count / 2]
      return Measurement(
        label: label + name,
        size: size,
        value: middle,
        unit: unit,
        checksum: checksum
      )
    }
    let mine = [
      figure("", own.map(\.wall), .nanoseconds),
      figure(", processor", own.map(\.processor), .nanoseconds),
    ]
    guard !peer.isEmpty else { return mine }
    let pairs = zip(peer, own)
    return mine + [
      figure(", nginx", peer.map(\.wall), .nanoseconds),
      figure(", nginx, processor", peer.map(\.processor), .nanoseconds),
      figure(" / nginx", pairs.map { $0.wall / $1.wall }, .ratio),
      figure(" / nginx, processor", pairs.map { $0.processor / $1.processor }, .ratio),
    ]
  }
}
