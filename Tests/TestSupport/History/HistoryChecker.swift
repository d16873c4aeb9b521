/// Decides if a history is one of a linearizable tree, whose answers carry their places in it.
///
/// 1. Acknowledged writes have distinct revisions.
/// 2. A write has a higher revision than every answer that came before it was sent.
/// 3. The batches are applied to the model in the order of their revisions. Batches without an
///    answer fill the places that nothing else explains. The model gives every change list, every
///    refusal and every page.
/// 4. A read has at least the revision of every answer that came before it was sent.
/// 5. A batch without an answer is applied once at most.
/// 6. A revision is never shown with two contents.
///
/// A revision may be left out only where a tree continues at a multiple of 1 000: after a commit
/// that has failed, and where a generation begins.
package enum HistoryChecker {
  /// A broken rule.
  package struct Violation: Error, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
  }

  /// The distance of the revisions at which a tree continues after a loss.
  static let lossStep = 1_000

  /// Checks a history.
  ///
  /// - Returns: The violations, a sentence each; none if it is right.
  /// - Complexity: O(writes · nodes), and so many times as there are ways to place the batches
  ///   without an answer, up to a limit.
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

  /// The number of ways to place batches without an answer that are tried.
  private static let maxAttempts = 400

  /// Applies everything in some way that explains all answers.
  ///
  /// - Returns: The revision of the tree for each state of a session; or the violation at which
  ///   the attempt that came furthest has ended.
  private static func replay(
    _ history: TreeHistory
  ) -> Result<[TreeHistory.State: Int], Violation> {
    let index = HistoryIndex(history)
    var choices: [Int] = []
    var best: (revision: Int, violation: Violation)?
    for _ in 0..<maxAttempts {
      let replay = HistoryReplay(index, choices: choices)
      do throws(Violation) {
        try replay.run()
        return .success(replay.places)
      } catch {
        if best.map({ $0.revision < replay.revision }) ?? true { best = (replay.revision, error) }
      }
      guard let next = replay.nextChoices else { break }
      choices = next
    }
    return .failure(best?.violation ?? Violation("\(history.name) was not replayed"))
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
        "\(history.name): session \(page.session) shows two contents at \(page.revision)"
      )
    }
    return violations
  }
}
