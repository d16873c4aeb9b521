/// Checks that a history is one of a linearizable tree, whose answers have their places in it.
///
/// 1. Acknowledged writes have distinct revisions.
/// 2. A write has a higher revision than every answer that arrived before it was sent.
/// 3. The batches are applied to the model in the order of their revisions. Batches without an
///    answer fill gaps that nothing else explains. The model then gives every change list, refusal
///    and page.
/// 4. A read has at least the revision of every answer that arrived before it was sent.
/// 5. A batch without an answer is applied at most once.
/// 6. A revision never has two contents.
///
/// A tree skips revisions only to continue at a multiple of 1 000. It does so after a failed
/// commit, and where a generation begins.
package enum HistoryChecker {
  /// A violation of a rule.
  package struct Violation: Error, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
  }

  /// The unit of revisions at which a tree continues after a loss.
  static let lossStep = 1_000

  /// Checks a history.
  ///
  /// - Returns: A sentence for each violation; empty if there are none.
  /// - Complexity: O(writes · nodes) for each way to place the batches without an answer, up to a
  ///   limit of ways.
  package static func violations(of history: TreeHistory) -> [String] {
    var order = HistoryOrder(history)
    order.check(places: [:])
    let forks = forks(in: history)
    guard order.violations.isEmpty, forks.isEmpty else { return order.violations + forks }
    switch replay(history) {
    case .failure(let violation): return [violation.description]
    case .success(let places):
      order.check(places: places)
      return order.violations
    }
  }

  /// The greatest number of ways that are tried.
  private static let maxAttempts = 400

  /// Applies all writes in an order that explains all answers.
  ///
  /// - Returns: The revision of the tree for each state of a session, or the violation of the
  ///   attempt that came furthest.
  private static func replay(
    _ history: TreeHistory
  ) -> Result<[TreeHistory.State: Int], Violation> {
    let index = HistoryIndex(history)
    var ways = [Way(choices: [], reached: history.firstRevision, departures: 0)]
    var best: (revision: Int, violation: Violation)?
    for _ in 0..<maxAttempts {
      guard let place = ways.indices.max(by: { ways[$0] < ways[$1] }) else { break }
      let way = ways.remove(at: place)
      let replay = HistoryReplay(index, choices: way.choices)
      do throws(Violation) {
        try replay.run()
        return .success(replay.places)
      } catch {
        if best.map({ $0.revision < replay.revision }) ?? true { best = (replay.revision, error) }
      }
      ways += replay.alternatives.map {
        Way(choices: $0, reached: replay.revision, departures: way.departures + 1)
      }
    }
    return .failure(best?.violation ?? Violation("\(history.name) was not replayed"))
  }

  /// A way to place the batches without an answer, to be tried.
  private struct Way: Comparable {
    var choices: [Int]
    /// The revision that was reached by the way from which it departs.
    var reached: Int
    /// The number of unlikely choices.
    var departures: Int

    /// Returns true if the other way is to be tried first: it departs from one that came further,
    /// or makes fewer unlikely choices, or departs later.
    static func < (left: Way, right: Way) -> Bool {
      (left.reached, right.departures, left.choices.count)
        < (right.reached, left.departures, right.choices.count)
    }
  }

  /// Compares pages of the same state with each other.
  private static func forks(in history: TreeHistory) -> [String] {
    var counts: [TreeHistory.State: Int] = [:]
    var rows: [TreeHistory.State: [Int: [UInt8]]] = [:]
    var violations: [String] = []
    for read in history.reads {
      guard case .page(let page) = read.content else { continue }
      let state = TreeHistory.State(session: page.session, revision: page.revision)
      let count = counts[state] ?? page.rowCount
      counts[state] = count
      var isSame = count == page.rowCount
      for (place, row) in page.rows.enumerated() {
        let known = rows[state]?[page.offset + place] ?? row.compactBytes
        rows[state, default: [:]][page.offset + place] = known
        isSame = isSame && known == row.compactBytes
      }
      guard !isSame else { continue }
      violations.append(
        "\(history.name): session \(page.session) has two contents at revision \(page.revision)"
      )
    }
    return violations
  }
}
