import Synchronization
import Testing
import TreeDomain

/// The account of memory beside the memory that the process really uses.
struct MemoryAccountTests {
  @Test(arguments: [16 << 20, 48 << 20, 1 << 30])
  func `an addition beyond the memory of the process is refused`(limit: Int) {
    let resident = Atomic(limit - limit / 100)
    let account = MemoryAccount(limit: limit) { resident.load(ordering: .relaxed) }
    // A session of ten thousand nodes takes a share of a small limit that nothing else refuses.
    #expect(!account.reserve(limit / 64, of: .views))
    #expect(account.total == 0)
    resident.store(limit / 2, ordering: .relaxed)
    #expect(account.reserve(limit / 64, of: .views))
    #expect(account.total == limit / 64)
  }
}
