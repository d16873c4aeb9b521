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

  /// The result of a check.
  package enum Verdict: Equatable, Sendable {
    case linearizable
    /// No linearizable tree has this history; with a sentence for each violation.
    case violated([String])
    /// The search for an order was given up, with what is wrong with the order that came furthest.
    /// This is no proof of a violation.
    case undecided(String)
  }

  /// The unit of revisions at which a tree continues after a loss.
  static let lossStep = 1_000

  /// The number of batches that a search applies before it is given up.
  package static let maxSteps = 100_000

  /// Checks a history.
  ///
  /// - Parameter maxSteps: The number of batches to apply before the search is given up.
  /// - Complexity: O(writes · nodes) for each way to place the batches without an answer.
  package static func check(_ history: TreeHistory, maxSteps: Int = maxSteps) -> Verdict {
    var order = HistoryOrder(history)
    order.check(places: [:])
    let known = order.violations + forks(in: history)
    guard known.isEmpty else { return .violated(known) }
    var search = HistorySearch(history)
    switch search.run(maxSteps: maxSteps) {
    case .refuted(let violation): return .violated([violation.description])
    case .givenUp(let violation):
      return .undecided(
        """
        \(history.name): the search for an order of \(search.unknownCount) writes without an \
        answer was given up after \(maxSteps) steps, and decided nothing; the order that came \
        furthest failed at: \(violation)
        """
      )
    case .found(let places):
      order.check(places: places)
      return order.violations.isEmpty ? .linearizable : .violated(order.violations)
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
