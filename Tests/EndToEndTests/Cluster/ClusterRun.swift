import Foundation
import Glibc
import HTTP
import TestSupport
import Testing

/// Rounds in which clients use trees during faults, and the check of their histories.
struct ClusterRun {
  /// The counts of a run.
  struct Report {
    var acknowledged = 0
    var refused = 0
    var unknown = 0
    var reads = 0
    var retries = 0
    /// The longest time that a request took.
    var longestWait = RovingLine.Wait()
    /// The longest time that a fault and its repair took, in nanoseconds.
    var longestFault = 0
    var faults: [ClusterFault: Int] = [:]

    var text: String {
      let list = faults.sorted { $0.key.rawValue < $1.key.rawValue }
        .map { "\($0.key.rawValue) \($0.value)" }.joined(separator: ", ")
      return """
        \(acknowledged) writes acknowledged, \(refused) refused, \(unknown) unknown, \
        \(reads) reads, \(retries) retries, \(longestWait.nanoseconds / 1_000_000) ms at most for \
        an answer (\(longestWait.text)), \(longestFault / 1_000_000) ms at most for a fault; \
        faults: \(list)
        """
    }
  }

  private static let trees = 2
  private static let clientsPerTree = 3

  private let deployment: Deployment
  private let seed: UInt64
  private let faults: [ClusterFault]
  private var random: SeededGenerator
  private(set) var report = Report()
  private var rounds = 0

  init(_ deployment: Deployment, seed: UInt64, faults: [ClusterFault]) {
    self.deployment = deployment
    self.seed = seed
    self.faults = faults
    random = SeededGenerator(seed: seed)
  }

  /// Runs rounds for a number of seconds.
  mutating func run(seconds: Int) throws {
    let end = SharedHistory.now + seconds * 1_000_000_000
    repeat { try runRound(until: end) } while SharedHistory.now < end
  }

  private mutating func runRound(until end: Int) throws {
    rounds += 1
    let shared = try (0..<Self.trees).map { try makeTree("r\(rounds)-\($0)") }
    let work = clients(shared)
    defer { for shared in shared { shared.declareOver() } }
    let roundEnd = min(end, SharedHistory.now + 15_000_000_000)
    repeat {
      usleep(UInt32(random.number(in: 100...1_500)) * 1_000)
      let fault = random.choice(faults)
      report.faults[fault, default: 0] += 1
      let start = SharedHistory.now
      do { try fault.happen(to: deployment, &random) } catch {
        throw WireError("SEED=\(seed), \(fault): \(error)\n\(deployment.log)")
      }
      report.longestFault = max(report.longestFault, SharedHistory.now - start)
    } while SharedHistory.now < roundEnd
    deployment.heal()
    for shared in shared { shared.declareOver() }
    for client in work {
      do {
        guard let effort = try client.result() else { continue }
        report.retries += effort.retries
        if effort.longestWait.nanoseconds > report.longestWait.nanoseconds {
          report.longestWait = effort.longestWait
        }
      } catch {
        throw WireError("SEED=\(seed): \(error)\n\(deployment.log)")
      }
    }
    for shared in shared { try check(shared) }
    for instance in deployment.instances { try instance.expectRunning() }
  }

  private func clients(_ shared: [SharedHistory]) -> [BackgroundWork<HistoryClient.Effort>] {
    let (ports, seed) = (deployment.ports, seed)
    return shared.flatMap { shared in
      (0..<Self.clientsPerTree).map { number in
        BackgroundWork {
          var client = HistoryClient(number: number, shared, ports: ports, seed: seed)
          return try client.run()
        }
      }
    }
  }

  private mutating func makeTree(_ name: String) throws -> SharedHistory {
    var line = RovingLine(ports: deployment.ports, random: random, secret: Deployment.key)
    let token = [(name: "Idempotency-Key", value: name)]
    let body = HistoryWriter.tree.treeJSON(tree: name)
    let ask = Ask(.post, "/v1/trees", body, fields: token)
    let answer = Result { try line.send(ask) }
    guard let made = try? answer.get(), made.status == 201,
      let first = try made.json()["revision"]?.integer
    else { throw WireError("SEED=\(seed): no tree: \(answer)\n\(deployment.log)") }
    return SharedHistory(tree: name, clients: Self.clientsPerTree, firstRevision: first)
  }

  /// Checks the history of a tree, and deletes the tree.
  private mutating func check(_ shared: SharedHistory) throws {
    var reader = HistoryClient(number: 0, shared, ports: deployment.ports, seed: seed)
    try reader.readAll()
    let history = shared.history
    for write in history.writes {
      switch write.outcome {
      case .acknowledged: report.acknowledged += 1
      case .refused: report.refused += 1
      case .unknown: report.unknown += 1
      }
    }
    report.reads += history.reads.count
    let verdict = HistoryChecker.check(history)
    let text =
      switch verdict {
      case .linearizable: ""
      case .violated(let violations): violations.prefix(3).joined(separator: "\n")
      case .undecided(let reason): reason
      }
    #expect(
      verdict == .linearizable,
      "SEED=\(seed): \(text)\n\(report.text)\n\(deployment.log)"
    )
    var line = RovingLine(ports: deployment.ports, random: random, secret: Deployment.key)
    _ = try line.send(Ask(.delete, "/v1/trees/\(shared.tree)"))
  }
}
