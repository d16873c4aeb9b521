import Testing
import TreeDomain

@testable import TreeSessions

/// When a tree is written down whole.
@Suite struct `A snapshot is due` {
  private func journal(
    _ change: (inout TreeJournal) -> Void = { _ in }
  ) -> TreeJournal {
    var journal = TreeJournal(number: TreeNumber(1), isLoaded: true)
    change(&journal)
    return journal
  }

  private func isDue(_ journal: TreeJournal) -> Bool { journal.isSnapshotDue(SessionLimits()) }

  @Test func `by entries, by bytes, by work, each since the last one`() {
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

  @Test func `later where the last one takes long to read`() {
    var journal = journal { $0.workSinceSnapshot = .seconds(3) }
    journal.snapshotBytes = 1 << 30
    #expect(!isDue(journal))
    journal.workSinceSnapshot = .seconds(11)
    #expect(isDue(journal))
  }

  @Test func `by the work of what has left an entry`() {
    var journal = journal()
    journal.beginChange(Durability())
    journal.endChange(after: .seconds(2))
    #expect(!isDue(journal), "nothing of it is to be done again")
    journal.beginChange(Durability())
    journal.lastEntry += 1
    journal.endChange(after: .seconds(2))
    #expect(isDue(journal))
  }
}
