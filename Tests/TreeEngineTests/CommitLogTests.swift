import TestSupport
import Testing

@testable import TreeEngine

struct CommitLogTests {
  private struct Entry: CommitEntry, Equatable {
    var number: Int
    var weight: Int
    var mark = 0
    var byteCount: Int { 8 * weight }
  }

  @Test(arguments: Seed.seeds(count: 6))
  func `a log and its copies contain the same entries as an array`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var pairs: [(log: CommitLog<Entry>, array: [Entry])] = [(CommitLog(), [])]
    for step in 0..<3_000 {
      let place = random.number(in: 0...(pairs.count - 1))
      switch random.number(in: 0...20) {
      case 0: pairs.append(pairs[place])
      case 1: if pairs.count > 1 { pairs.remove(at: place) }
      case 2:
        pairs[place].log.updateEach { $0.mark = step }
        for index in pairs[place].array.indices { pairs[place].array[index].mark = step }
      case 3...8:
        let first = pairs[place].array.isEmpty ? nil : pairs[place].array.removeFirst()
        #expect(pairs[place].log.removeFirst() == first, "SEED=\(seed) step \(step)")
      default:
        let entry = Entry(number: 2 * step, weight: random.number(in: 0...9))
        pairs[place].log.append(entry)
        pairs[place].array.append(entry)
      }
      if pairs.count > 4 { pairs.removeFirst() }
      for (log, array) in pairs { check(log, array, &random, "SEED=\(seed) step \(step)") }
    }
  }

  private func check(
    _ log: CommitLog<Entry>,
    _ array: [Entry],
    _ random: inout SeededGenerator,
    _ context: String
  ) {
    #expect(log.count == array.count, "\(context)")
    #expect(log.weight == array.reduce(0) { $0 + $1.weight }, "\(context)")
    #expect(log.firstNumber == array.first?.number, "\(context)")
    #expect(log.last == array.last, "\(context)")
    #expect(log[array.count] == nil, "\(context)")
    guard let last = array.last else { return }
    let place = random.number(in: 0...(array.count - 1))
    #expect(log[place] == array[place], "\(context)")
    let since = random.number(in: (array[0].number - 1)...last.number)
    #expect(Array(log.entries(after: since)) == array.filter { $0.number > since }, "\(context)")
  }
}
