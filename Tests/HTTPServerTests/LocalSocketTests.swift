import Dispatch
import Foundation
import Glibc
import HTTP
import Synchronization
import TestSupport
import Testing

@testable import HTTPServer

/// Several processes on one path.
struct LocalSocketTests {
  /// What a process leaves that is killed: a file on which nobody listens.
  private func leaveBehind(_ socket: LocalSocket) throws {
    _ = try Syscalls.listen(on: socket, acceptBacklog: 1)
    #expect(Syscalls.identity(ofFile: socket.path) != nil)
  }

  @Test func `of those who start at one instant one gets the path, and keeps it`() throws {
    let folder = try TemporaryFolder()
    let socket = try #require(LocalSocket(path: folder.path + "/s", mode: 0o600))
    for _ in 0..<200 {
      try leaveBehind(socket)
      // Kept until all have tried: who is gone may be replaced.
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

  @Test func `a lock that somebody keeps is told`() throws {
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

  @Test func `a lock that a killed process left behind holds nobody up`() throws {
    let folder = try TemporaryFolder()
    try folder.write([], to: "s.lock")
    let socket = try #require(LocalSocket(path: folder.path + "/s", mode: 0o600))
    _ = try Syscalls.listen(on: socket, acceptBacklog: 1)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["s"])
  }
}
