import Testing
import TreeDomain
import TreeStorage

@testable import TreeSessions

/// The conditions for a snapshot.
@Suite struct `A snapshot is due` {
  private func journal(
    _ change: (inout TreeJournal) -> Void = { _ in }
  ) -> TreeJournal {
    var journal = TreeJournal(number: TreeNumber(1), isLoaded: true)
    change(&journal)
    return journal
  }

  private func isDue(_ journal: TreeJournal) -> Bool { journal.isSnapshotDue(SessionLimits()) }

  @Test func `by entries, bytes or work since the last one`() {
    #expect(!isDue(journal()))
    let long: [(inout TreeJournal) -> Void] = [
      { $0.entriesSinceSnapshot = 20_000 }, { $0.bytesSinceSnapshot = 16 << 20 },
      { $0.workSinceSnapshot = .seconds(1) },
    ]
    for change in long {
      var journal = journal(change)
      #expect(isDue(journal))
      journal.beginSnapshot()
      #expect(!isDue(journal), "one is being written")
      journal.endSnapshot(bytes: 100)
      #expect(!isDue(journal))
    }
  }

  @Test func `later if the last one takes long to read`() {
    var journal = journal { $0.workSinceSnapshot = .seconds(3) }
    journal.snapshotBytes = 1 << 30
    #expect(!isDue(journal))
    journal.workSinceSnapshot = .seconds(11)
    #expect(isDue(journal))
  }

  @Test func `by work, only if it left an entry`() {
    var journal = journal()
    journal.beginChange(Durability())
    journal.endChange(after: .seconds(2))
    #expect(!isDue(journal), "nothing of it is to be done again")
    journal.beginChange(Durability())
    journal.lastEntry += 1
    journal.endChange(after: .seconds(2))
    #expect(isDue(journal))
  }

  @Test func `and postponed if space is short`() throws {
    var limits = SessionLimits()
    limits.snapshotEntries = 5
    let storage = MemoryStorage()
    let store = try SessionStore(limits: limits, storage: storage, clock: { 0 })
    let tree = try store.make("a", #""nodes":[{"key":"root","object":"0123456789"}]"#)
    var number = 0
    func write(_ count: Int) throws {
      for _ in 0..<count {
        number += 1
        let text = #"{"operations":[{"op":"insert","key":"\#(number)"}]}"#
        _ = try store.apply(Batch.decode(body: Array(text.utf8)), to: tree, BatchOptions())
      }
    }
    storage.limitRoom(to: 20)
    try write(11)
    #expect(storage.snapshot(of: TreeNumber(1)) == nil)
    storage.limitRoom(to: .max)
    try write(2)
    #expect(storage.snapshot(of: TreeNumber(1)) == nil, "so many have to come again")
    try write(5)
    #expect(storage.snapshot(of: TreeNumber(1)) != nil)
  }
}
