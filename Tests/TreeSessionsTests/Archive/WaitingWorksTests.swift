import Testing
import TreeDomain

@testable import TreeSessions

struct WaitingWorksTests {
  private func entry(of size: Int, at time: Int) throws -> JournalEntry {
    let object = String(repeating: "x", count: size)
    let body = #"{"operations":[{"op":"insert","key":"k","object":"\#(object)"}]}"#
    return JournalEntry(.batch(try Batch.decode(body: Array(body.utf8))), at: time)
  }

  /// In the common text or not, and whatever precedes it there.
  @Test func `each waiting entry is encoded as by itself`() throws {
    var waiting = WaitingWorks()
    for round in 0..<3 {
      var changes: [StorageChange] = []
      for (number, size) in [10, 5_000, 0, 100, 4_000, 100_000, 7].enumerated() {
        let entry = try entry(of: size, at: round)
        let body = entry.encoded()
        let change = StorageChange.deleteTree(TreeNumber(number))
        var work = CommitWork(changes: [change], receipt: CommitReceipt(), bytes: size)
        let tree = TreeNumber(round)
        work.entry = CommitWork.Entry(
          text: waiting.place(entry, number == 3 ? body : nil, size),
          number: number,
          revision: size,
          nodeCount: 3,
          tree: tree
        )
        waiting.append(work)
        let stored = StoredEntry(number: number, revision: size, nodeCount: 3, body: body)
        changes += [change, .append(stored, to: tree)]
      }
      let (works, text) = waiting.popAll()
      #expect(works.changes(text) == changes)
      #expect(waiting.isEmpty)
    }
  }
}
