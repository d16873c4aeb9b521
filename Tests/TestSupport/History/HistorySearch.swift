/// A search for an order of all writes that explains all answers.
///
/// At a fork, the next revision may be due to several batches without an answer, or to a jump. Each
/// way is tried until one explains everything, so a search that comes to its end without one proves
/// a violation. One that is given up proves nothing.
struct HistorySearch {
  /// The result of a search.
  enum Outcome {
    /// An order explains all answers; with the revision of the tree for each state of a session.
    case found([TreeHistory.State: Int])
    /// No order does; with the violation of the one that came furthest.
    case refuted(HistoryChecker.Violation)
    /// The search was given up; with the violation of the order that came furthest.
    case givenUp(HistoryChecker.Violation)
  }

  /// A way on from a fork, to be tried.
  private struct Way {
    var fork: HistoryReplay
    var step: HistoryReplay.Step
    /// The number of unlikely choices.
    var departures: Int
    /// The place among the ways of the fork, the most likely one first.
    var rank: Int

    /// The rank by depth: ways that came further, with fewer unlikely choices, are tried first.
    var depth: (Int, Int, Int) { (fork.revision, -departures, -rank) }
    /// The rank by likelihood: ways with fewer unlikely choices are tried first.
    var likelihood: (Int, Int, Int) { (-departures, fork.revision, -rank) }
  }

  private let index: HistoryIndex
  private var ways: [Way] = []
  private var best: (revision: Int, violation: HistoryChecker.Violation)?
  /// The number of batches and jumps that were applied.
  private var steps = 0

  init(_ history: TreeHistory) { index = HistoryIndex(history) }

  /// The number of writes without an answer.
  var unknownCount: Int { index.unknown.count }

  /// Searches until an order is found, there is no way left, or a number of steps was done.
  mutating func run(maxSteps: Int) -> Outcome {
    var isDeep = true
    var departures = 0
    var replay = HistoryReplay(index)
    var first: HistoryReplay.Step?
    while true {
      let start = replay.length
      do throws(HistoryChecker.Violation) {
        let next = try replay.run(first)
        if next.isEmpty { return .found(replay.places) }
        ways += next.enumerated().map { rank, step in
          Way(fork: replay, step: step, departures: departures + min(rank, 1), rank: rank)
        }
      } catch {
        if best.map({ $0.revision < replay.revision }) ?? true { best = (replay.revision, error) }
      }
      steps += replay.length - start + 1
      guard let way = popWay(isDeep) else { return .refuted(violation) }
      guard steps < maxSteps else { return .givenUp(violation) }
      // A mistake that shows late would be sought only behind it, or only before it.
      isDeep.toggle()
      (replay, first, departures) = (HistoryReplay(copying: way.fork), way.step, way.departures)
    }
  }

  private var violation: HistoryChecker.Violation {
    best?.violation ?? HistoryChecker.Violation("\(index.history.name) was not replayed")
  }

  private mutating func popWay(_ isDeep: Bool) -> Way? {
    let place = ways.indices.max { left, right in
      let (left, right) = (ways[left], ways[right])
      return isDeep ? left.depth < right.depth : left.likelihood < right.likelihood
    }
    guard let place else { return nil }
    ways.swapAt(place, ways.count - 1)
    return ways.popLast()
  }
}
