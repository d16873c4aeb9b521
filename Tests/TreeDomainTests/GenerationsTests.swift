import Testing
import TreeDomain

struct GenerationsTests {
  @Test func `the generation of a revision is found`() {
    let generations = Generations([Revision(1_000_000), Revision(3_000_000)])
    #expect(generations.current == Revision(3_000_000))
    let starts = [0, 999_999, 1_000_000, 2_999_999, 3_000_000, 9_000_000].map {
      generations.start(of: Revision($0)).number
    }
    #expect(starts == [0, 0, 1_000_000, 1_000_000, 3_000_000, 3_000_000])
    #expect(Generations().current == Revision(0))
  }

  @Test func `a bound counts entries from where the tree or the generation continues`() {
    #expect(Generations().bound(entry: 7, revision: 3) == Revision(10))
    // A session may have been created at any entry since changes were lost.
    #expect(Generations().bound(entry: 7, revision: 1_000) == Revision(1_007))
    let second = Generations([Revision(1_000_000)])
    #expect(second.bound(entry: 7, revision: 3) == Revision(1_000_007))
  }
}
