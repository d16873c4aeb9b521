import TreeDomain

/// Batches over HTTP whose answers wait for the disk, compared with SQLite alone on the same
/// disk.
///
/// A ``BareServer``, which only stores requests in SQLite, is measured as well. All are measured
/// alternately.
enum DurableBenchmark {
  static var benchmark: Benchmark {
    Benchmark(name: "durable", smallSize: 50, largeSize: 100_000) { size in
      let folder = ScratchFolder()
      let raw = RawDatabase(in: folder)
      let kept = Clients(LocalService(folder: folder.path), size: size)
      let inMemory = Clients(LocalService(), size: size)
      let bare = BareServer(RawDatabase(in: folder, as: RawDatabase.otherFileName))
      let bareInMemory = BareServer()
      let count = min(size / 10, 1_000)
      let works = [
        Work("raw transaction of a row", count) { raw.insertAlone(count) },
        kept.inserts("durable insert", count),
        inMemory.inserts("the same in memory", count),
        kept.insertsTogether("durable insert, 64 clients", 20 * count),
        inMemory.insertsTogether("the same in memory, 64 clients", 20 * count),
        bare.exchanges("bare loop", count, clients: 1),
        bare.exchanges("bare loop, 64 clients", 20 * count, clients: 64),
        bareInMemory.exchanges("bare loop in memory, 64 clients", 20 * count, clients: 64),
        Work("raw row, 100 a transaction", 10 * count) { raw.insertHundreds(10 * count) },
        kept.insertsOfThousands("durable insert, 1000 a batch", 10 * count),
        inMemory.insertsOfThousands("the same in memory, 1000 a batch", 10 * count),
      ]
      let figures = measureInTurns(works, size: size)
      return figures + ratios(figures)
    }
  }

  /// Measures each work for one round, repeatedly; returns the median rounds.
  private static func measureInTurns(
    _ works: [Work],
    size: Int
  ) -> [Measurement] {
    var rounds = works.map { _ in [Measurement]() }
    for _ in 0..<5 {
      for (place, work) in works.enumerated() {
        work.prepare()
        rounds[place].append(
          Measurement(work.label, size: size, rounds: 1, operations: work.operations, work.round)
        )
      }
    }
    return rounds.map { rounds in
      var middle = rounds.sorted { $0.value < $1.value }[rounds.count / 2]
      middle.checksum = rounds.reduce(0) { $0 &* 31 &+ $1.checksum }
      return middle
    }
  }

  /// Returns the ratios of figures that are compared.
  private static func ratios(_ figures: [Measurement]) -> [Measurement] {
    [
      ("durable insert / raw transaction", 1, 0),
      ("bare loop / raw transaction", 5, 0),
      ("raw transaction / one of 64", 0, 3),
      ("raw transaction / one of 64, bare loop", 0, 6),
      ("memory / durable, 64 clients", 4, 3),
      ("memory / durable, 64 clients, bare loop", 7, 6),
      ("raw row of 100 / insert of 1000", 8, 9),
    ].map { label, dividend, divisor in
      Measurement(
        label: label,
        size: figures[0].size,
        value: figures[dividend].value / figures[divisor].value,
        unit: .ratio,
        checksum: figures[dividend].checksum
      )
    }
  }
}

extension RawDatabase {
  fileprivate func insertAlone(_ count: Int) -> UInt64 {
    for _ in 0..<count { insert(1) }
    return UInt64(rowCount)
  }

  fileprivate func insertHundreds(_ count: Int) -> UInt64 {
    for _ in 0..<count / 100 { insert(100) }
    return UInt64(rowCount)
  }
}

extension BareServer {
  /// The exchanges of a number of clients with a server that only stores requests.
  fileprivate func exchanges(_ label: String, _ count: Int, clients: Int) -> Work {
    let crowd = AskingCrowd(clients: (0..<clients).map { _ in BareClient(port: port) })
    let requests = max(2, count / clients)
    return Work(label, requests * clients) { crowd.exchange(requests) }
  }
}

/// Clients of a service, each with its own tree.
private struct Clients {
  private let service: LocalService
  private let one: LeafInserter
  private let many: AskingCrowd<LeafInserter>

  init(_ service: LocalService, size: Int) {
    self.service = service
    one = LeafInserter(service, size: size, tree: "one")
    many = AskingCrowd(
      clients: (0..<64).map { LeafInserter(service, size: size / 10, tree: "many-\($0)") }
    )
  }

  /// The inserts of one client, each in its own batch.
  func inserts(_ label: String, _ count: Int) -> Work {
    Work(label, count) {
      one.prepare(count)
    } round: {
      (0..<count).reduce(0) { checksum, _ in checksum &* 31 &+ one.insert() }
    }
  }

  /// The inserts of all clients, each of which sends its next request directly after an answer.
  func insertsTogether(_ label: String, _ count: Int) -> Work {
    let requests = max(2, count / many.clients.count)
    return Work(label, requests * many.clients.count) {
      for client in many.clients { client.prepare(requests) }
    } round: {
      many.exchange(requests)
    }
  }

  /// The inserts of one client, a thousand in a batch.
  func insertsOfThousands(_ label: String, _ count: Int) -> Work {
    let batch = min(1_000, count)
    return Work(label, count) {
      one.prepare(count / batch, of: batch)
    } round: {
      (0..<count / batch).reduce(0) { checksum, _ in checksum &* 31 &+ one.insert(batch) }
    }
  }
}

/// A kind of work that is compared with others.
private struct Work {
  let label: String
  let operations: Int
  /// The preparation of a round, which is not timed.
  let prepare: () -> Void
  let round: () -> UInt64

  init(
    _ label: String,
    _ operations: Int,
    prepare: @escaping () -> Void = {},
    round: @escaping () -> UInt64
  ) {
    self.label = label
    self.operations = operations
    self.prepare = prepare
    self.round = round
  }
}
