import Foundation
import Glibc
import HTTP
import TestSupport
import Testing

/// Runs `--check` where nothing can be written, such as on a copy of a disk.
struct ReadOnlyDiskTests {
  @Test(.enabled(if: Shortage.possible.contains(.fileSystem), "nothing can be mounted"))
  func `a database without a log on a read-only file system can be checked`() throws {
    // The name has characters that are special in a database URI.
    let name = "trees %3F #1-\(UUID().uuidString)"
    let folder = FileManager.default.temporaryDirectory.path(percentEncoded: false) + name
    try Shortage.fileSystem.prepare(folder)
    defer { Shortage.fileSystem.remove(folder) }
    try write(to: folder) { program throws in
      program.send(SIGTERM)
      let end = try program.waitForEnd()
      #expect(end.status == 0)
    }
    try expectCheck(of: folder, status: 0, "1 tree, 1 session, 1 node")
    try write(to: folder) { $0.kill() }
    // SQLite reads the log with this file, which a copy of a disk may lack.
    try FileManager.default.removeItem(atPath: "\(folder)/trees.sqlite-shm")
    try expectCheck(of: folder, status: 1, "check a copy of the folder")
    let copy = folder + "-copy"
    try FileManager.default.copyItem(atPath: folder, toPath: copy)
    defer { try? FileManager.default.removeItem(atPath: copy) }
    let check = try Program(["--check", "--data", copy]).waitForEnd()
    #expect(check.status == 0 && check.error.contains("2 trees, 2 sessions, 2 nodes"))
  }

  @Test(.enabled(if: Shortage.possible.contains(.fileSystem), "nothing can be mounted"))
  func `a database without a log on a full disk can be checked`() throws {
    let folder = FileManager.default.temporaryDirectory.path() + "trees-\(UUID().uuidString)"
    try Shortage.fileSystem.prepare(folder)
    defer { Shortage.fileSystem.remove(folder) }
    try write(to: folder) { program throws in
      program.send(SIGTERM)
      #expect(try program.waitForEnd().status == 0)
    }
    // A reader creates a file of 32 KiB beside the database (sqlite.org/walformat.html, 2).
    try Shortage.fileSystem.begin(in: folder, of: 0, bytes: 8_192)
    let check = try Program(["--check", "--data", folder]).waitForEnd()
    #expect(check.status == 0 && check.error.contains("1 tree, 1 session, 1 node"), "\(check)")
  }

  /// Creates a session with one node, and ends the program.
  private func write(to folder: String, _ end: (Program) throws -> Void) throws {
    let program = try Program(["--port", "0", "--data", folder, "--min-free-bytes", "0"])
    let access = SocketAccess(port: try program.waitForPort())
    let session = try access.send(Ask(.post, "/v1/sessions", #"{"nodes":[{"key":"a"}]}"#))
    #expect(session.status == 201)
    try end(program)
  }

  private func expectCheck(of folder: String, status: Int32, _ text: String) throws {
    #expect(runCommand(["mount", "-o", "remount,ro", folder]))
    defer { #expect(runCommand(["mount", "-o", "remount,rw", folder])) }
    let check = try Program(["--check", "--data", folder]).waitForEnd()
    #expect(check.status == status && check.error.contains(text), "\(check)")
  }
}
