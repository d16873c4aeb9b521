import Foundation
import Glibc
import TestSupport
import Testing

@testable import TreeStorage

/// Stopping the program during its start, which can take long with a large log.
struct StartTests {
  @Test func `SIGTERM during the start ends the program at once`() throws {
    let folder = try TemporaryFolder()
    try SQLiteStorage(folder: folder.path).close()
    // The start would wait ten seconds for the lock of the file.
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
  /// Returns true if the program blocks a signal.
  fileprivate func blocks(_ signal: Int32) throws -> Bool {
    let status = try String(contentsOfFile: "/proc/\(identifier)/status", encoding: .utf8)
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("SigBlk:") })
    let mask = try #require(UInt64(line.dropFirst(7).drop { $0.isWhitespace }, radix: 16))
    return mask & 1 << UInt64(signal - 1) != 0
  }
}
