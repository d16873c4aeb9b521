import TreeDomain
import TreeEngine
import TreeSessions

/// The same as ``SoakBenchmark``, through the service.
///
/// Sessions over a shared tree of constant size are made and deleted. Their batches are applied,
/// tried in a dry run, refused, or sent with idempotency keys.
enum ServiceSoakBenchmark {
  static var benchmark: Benchmark {
    Benchmark(name: "service-soak", smallSize: 200, largeSize: 100_000) { size in
      var soak = ServiceSoak(size: size)
      let total = 100 * size
      return [10, 50, 100].map { percent in
        soak.run(until: total / 100 * percent)
        return Measurement(
          label: "resident after \(percent) % of \(total) operations",
          size: size,
          value: Double(residentBytes()),
          unit: .bytes,
          checksum: soak.checksum
        )
      }
    }
  }
}

/// A shared tree whose folders stay, and whose leaves are inserted and removed.
private struct ServiceSoak {
  /// The intended outcome of a batch.
  private enum Fate { case kept, triedOut, refused }

  private(set) var checksum: UInt64 = 1
  private let store = LocalService.makeStore()
  private let tree: TreeID
  /// The number of folders, which have the lowest numbers as keys.
  private let folders: Int
  private var leaves: [Int] = []
  private var nextNumber: Int
  private var sessions: [SessionID] = []
  private var random = SplitMix(seed: 22)
  private var done = 0

  init(size: Int) {
    folders = size / 10
    nextNumber = folders
    tree = store.makeTree(.tenfold, count: folders)
    for _ in 0..<4 { sessions.append(store.makeSession(over: tree)) }
    while leaves.count < size - folders {
      var batch = SoakBatch()
      for _ in 0..<100 { insertLeaf(&batch) }
      send(batch, BatchOptions(format: .ranges))
    }
  }

  /// Sends operations until a total number is reached.
  mutating func run(until total: Int) {
    while done < total {
      if random.below(500) == 0 { replaceSession() }
      if random.below(2_000) == 0 { refilter() }
      switch random.below(50) {
      case 0: change(.refused)
      case 1: change(.triedOut)
      default: change(.kept)
      }
    }
  }

  private mutating func replaceSession() {
    let place = random.below(sessions.count)
    _ = try? store.deleteSession(sessions[place])
    let rule = [ExpansionRule.all, .none, .levels(1), .levels(2)][random.below(4)]
    sessions[place] = store.makeSession(over: tree, options: SessionOptions(expansion: rule))
  }

  private mutating func refilter() {
    var patch = SessionPatch()
    let text = Array("\(random.below(1_000))".utf8)
    let filter = Filter.predicate(Predicate(by: .key, .contains(text)))
    patch.filter = random.below(2) == 0 ? .clear : .set(filter)
    let options = BatchOptions(format: .ranges)
    record(try? store.patchSession(sessions[random.below(sessions.count)], patch, options).list)
  }

  private mutating func change(_ fate: Fate) {
    var batch = SoakBatch()
    let operations = 1 + random.below(20)
    for _ in 0..<operations {
      // What is not kept may not name leaves: others of the batch could have come or gone with it.
      switch random.below(fate == .kept ? 8 : 4) {
      case 0: batch.update(random.below(folders), length: random.below(80))
      case 1, 2: batch.toggle(random.below(folders))
      case 3: batch.move(1 + random.below(9), under: 0)
      case 4: batch.update(leaves[random.below(leaves.count)], length: random.below(80))
      case 5: batch.move(leaves[random.below(leaves.count)], under: random.below(folders))
      default: exchangeLeaf(&batch)
      }
    }
    if fate != .kept { batch.insert(nextNumber, under: 0) }
    if fate == .refused { batch.remove(nextNumber + 1) }
    var options = BatchOptions(format: .ranges)
    options.isDryRun = fate == .triedOut
    if random.below(10) == 0 {
      options.idempotency = IdempotencyKey(token: Array("\(done)".utf8), fingerprint: 1)
    }
    done += operations
    send(batch, options)
  }

  private mutating func exchangeLeaf(_ batch: inout SoakBatch) {
    let place = random.below(leaves.count)
    leaves.swapAt(place, leaves.count - 1)
    batch.remove(leaves.removeLast())
    insertLeaf(&batch)
  }

  private mutating func insertLeaf(_ batch: inout SoakBatch) {
    batch.insert(nextNumber, under: random.below(folders))
    leaves.append(nextNumber)
    nextNumber += 1
  }

  private mutating func send(_ batch: SoakBatch, _ options: BatchOptions) {
    let session = sessions[random.below(sessions.count)]
    record(try? store.apply(batch.batch, to: session, options))
  }

  private mutating func record(_ answer: BatchAnswer?) {
    let rows = UInt64(answer?.rowCount ?? 7)
    checksum = checksum &* 31 &+ UInt64(answer?.changes.count ?? 3) &+ rows
  }
}
