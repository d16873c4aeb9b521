import TestSupport
import Testing
import TreeDomain

@testable import TreeStorage

/// A standby takes the place of its primary.
@Suite(.enabled(if: PostgreSQLServer.programs != nil))
struct TimelineTests {
  private static let tree = TreeNumber(1)

  @Test func `a primary that was replaced and comes back is not used`() throws {
    let pair = try PostgreSQLPair()
    let (old, new) = (pair.networks[0], pair.networks[1])
    let instance = try OneSlot(pair.uri(through: pair.networks))
    let storage = instance.storage
    try storage.commit([.makeTree(sample(1, "a")), .append(sample(1), to: Self.tree)])
    // The primary is cut off, and goes on.
    old.part(.requests, .answers)
    old.cut()
    try pair.promote()
    try storage.commit([.append(sample(2), to: Self.tree)])
    #expect(try storage.allEntries(of: 1).count == 2)
    old.heal()
    new.cut()
    let error = #expect(throws: StorageError.self) {
      try storage.commit([.append(sample(3), to: Self.tree)])
    }
    #expect(error?.reason.contains("a former primary") == true, "\(String(describing: error))")
    #expect(throws: StorageError.self) { try storage.allEntries(of: 1) }
    try pair.makeStandby()
    try storage.commit([.append(sample(3), to: Self.tree)])
    #expect(try storage.allEntries(of: 1) == (1...3).map { sample($0) })
  }
}
