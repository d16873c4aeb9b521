import TestSupport
import Testing
import TreeDomain

@testable import TreeStorage

/// Damaged numbers of trees and revisions.
struct NumberDamageTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// SQLite's record of the last number has no checksum.
  ///
  /// Numbers must neither repeat nor run out.
  @Test(arguments: ["0", "-7", "NULL", "'x'", "1.5", "9223372036854775807", "134217727", "40"])
  func `a damaged last number causes no number to be given out twice`(written: String) throws {
    let storage = try SQLiteStorage(folder: folder.path)
    try storage.commit([.makeTree(sample(30, "a"))])
    var other = try SQLiteConnection("\(folder.path)/\(SQLiteStorage.fileName)", .writing)
    try other.run("UPDATE sqlite_sequence SET seq = \(written) WHERE name = 'trees'")
    if written.count > 8 {
      #expect { try storage.nextTreeNumber() } throws: { "\($0)".contains("sqlite_sequence") }
    } else {
      #expect(try storage.nextTreeNumber() == TreeNumber(written == "40" ? 41 : 31))
    }
  }

  @Test func `a damaged last revision is refused`() throws {
    let storage = try SQLiteStorage(folder: folder.path)
    try storage.commit([.retire(RetiredRevision(slot: 1, revision: Revision(5)))])
    var other = try SQLiteConnection("\(folder.path)/\(SQLiteStorage.fileName)", .writing)
    try other.run("UPDATE retired SET revision = -123")
    #expect { try storage.retiredRevisions() } throws: { "\($0)".contains("retired") }
  }
}
