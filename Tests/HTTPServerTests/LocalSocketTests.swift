import Dispatch
import Foundation
import Glibc
import HTTP
import Synchronization
import TestSupport
import Testing

@testable import HTTPServer

/// Several processes with one socket path.
struct LocalSocketTests {
  /// Creates the file of a socket on which nobody listens, as a killed process leaves it.
  private func leaveBehind(_ socket: LocalSocket) throws {
    _ = try Syscalls.listen(on: socket, acceptBacklog: 1)
    #expect(Syscalls.identity(ofFile: socket.path) != nil)
  }

  @Test func `of processes starting at once, one gets the path and keeps it`() throws {
    let folder = try TemporaryFolder()
    let socket = try #require(LocalSocket(path: folder.path + "/s", mode: 0o600))
    for _ in 0..<200 {
      try leaveBehind(socket)
      // Kept open until all have tried, because a closed socket may be replaced.
      let files = Mutex<[(listener: Int32, file: Syscalls.FileIdentity?)]>([])
      let refusals = Mutex<[Int32]>([])
      DispatchQueue.concurrentPerform(iterations: 4) { _ in
        do throws(SystemError) {
          let listener = try Syscalls.listen(on: socket, acceptBacklog: 1)
          let kept = fcntl(listener.number, F_DUPFD_CLOEXEC, 0)
          files.withLock { $0.append((kept, Syscalls.identity(ofFile: socket.path))) }
        } catch {
          refusals.withLock { $0.append(error.code) }
        }
      }
      let found = files.withLock { $0 }
      for listener in found { Syscalls.close(listener.listener) }
      #expect(found.count == 1)
      #expect(found.first?.file == Syscalls.identity(ofFile: socket.path))
      #expect(refusals.withLock { $0 } == [EADDRINUSE, EADDRINUSE, EADDRINUSE])
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["s"])
    }
  }

  @Test func `a lock kept by another process is reported`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/s"
    let holder = try Syscalls.openLock(path + ".lock")
    #expect(try Syscalls.lock(holder.number))
    var options = ServerOptions()
    options.host = ""
    options.localSocket = LocalSocket(path: path, mode: 0o600)
    #expect(throws: ServerError.socketLocked(path)) {
      try Server(options: options, limits: Limits(), handler: EchoHandler())
    }
    _ = consume holder
  }

  @Test func `a lock file of a dead process does not block`() throws {
    let folder = try TemporaryFolder()
    try folder.write([], to: "s.lock")
    let socket = try #require(LocalSocket(path: folder.path + "/s", mode: 0o600))
    _ = try Syscalls.listen(on: socket, acceptBacklog: 1)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["s"])
  }
}
