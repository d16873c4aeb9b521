import Foundation
import Glibc
import TestSupport
import Testing

@testable import TreeStorage

/// A start can take long: a large log is read, an older format written anew.
struct StartTests {
  @Test func `asked to stop while it starts the program ends at once`() throws {
    let folder = try TemporaryFolder()
    try SQLiteStorage(folder: folder.path).close()
    // For ten seconds it waits for somebody who has the file, and then does not start.
    var other = try SQLiteConnection("\(folder.path)/\(SQLiteStorage.fileName)", .writing)
    try other.run("PRAGMA locking_mode=EXCLUSIVE")
    try other.run("BEGIN EXCLUSIVE")
    try other.removeProbe()
    let program = try Program(["--port", "0", "--data", folder.path])
    while try !program.blocks(SIGTERM) { usleep(1_000) }
    program.send(SIGTERM)
    let ending = try program.waitForEnd()
    #expect(ending.status == 0 && ending.output == "", "\(ending)")
  }
}

extension Program {
  /// Whether it does not let a signal end it.
  fileprivate func blocks(_ signal: Int32) throws -> Bool {
    let status = try String(contentsOfFile: "/proc/\(identifier)/status", encoding: .utf8)
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("SigBlk:") })
    let mask = try #require(UInt64(line.dropFirst(7).drop { $0.isWhitespace }, radix: 16))
    return mask & 1 << UInt64(signal - 1) != 0
  }
}
