import Foundation
import Glibc
import HTTP
import Synchronization
import TestSupport
import Testing

/// The program under a service manager, whose part the test plays.
struct ManagedTests {
  @Test func `with a passed socket no request fails while it restarts`() throws {
    let folder = try TemporaryFolder()
    let held = try HeldSocket()
    let arguments = ["--data", folder.path, "--loops", "2", "--port", "1"]
    var program = try Program(arguments, socket: held)
    #expect(try program.waitForLine() == "listening on http://127.0.0.1:\(held.port)\n")
    let isOver = Atomic(false)
    let port = held.port
    let clients = BackgroundWork {
      workAtOnce(8) { number in Self.ask(port, number, until: isOver) }
    }
    for _ in 0..<4 {
      usleep(50_000)
      program.send(SIGTERM)
      let ending = try program.waitForEnd()
      #expect(ending.status == 0)
      #expect(ending.error.contains("host, port and unixSocket are not used"))
      program = try Program(arguments, socket: held)
      _ = try program.waitForLine()
    }
    isOver.store(true, ordering: .relaxed)
    let reports = try #require(try clients.result())
    #expect(reports.compactMap(\.failure).isEmpty)
    #expect(reports.allSatisfy { $0.answers > 4 })
    program.send(SIGTERM)
    #expect(try program.waitForEnd().status == 0)
  }

  /// Sends requests on new connections until the end. Every other request is a write.
  private static func ask(
    _ port: UInt16,
    _ number: Int,
    until isOver: borrowing Atomic<Bool>
  ) -> (answers: Int, failure: String?) {
    var answers = 0
    while !isOver.load(ordering: .relaxed) {
      do {
        let connection = try BlockingConnection(port: port)
        let isChange = answers % 2 == 0
        let tree = #"{"tree":"t\#(number)-\#(answers)"}"#
        try connection.send(
          isChange ? Ask(.post, "/v1/trees", tree).bytes : Ask(.get, "/healthz").bytes
        )
        let answer = try connection.receive()
        guard answer.status == (isChange ? 201 : 200) else {
          return (answers, "\(answer.status) \(answer.text)")
        }
        answers += 1
      } catch {
        return (answers, "\(error)")
      }
    }
    return (answers, nil)
  }

  @Test func `passed sockets are not inherited by child processes`() throws {
    let held = try HeldSocket()
    let manager = try ManagerSocket()
    let variables = ["NOTIFY_SOCKET": manager.path, "LISTEN_FDNAMES": "http"]
    let program = try Program(["--storage", "memory"], variables: variables, socket: held)
    _ = try program.waitForLine()
    let passed = try program.link(of: 3)
    #expect(passed.hasPrefix("socket:"))
    let numbers = try program.openDescriptorNumbers().filter { try program.link(of: $0) == passed }
    #expect(numbers.count > 1, "each loop has its own descriptor")
    for number in numbers {
      let info = try String(
        contentsOfFile: "/proc/\(program.identifier)/fdinfo/\(number)",
        encoding: .utf8
      )
      let line = info.split(separator: "\n").first { $0.hasPrefix("flags:") }
      let flags = try #require(line?.split(separator: "\t").last.flatMap { Int($0, radix: 8) })
      #expect(flags & Int(O_CLOEXEC) != 0, "descriptor \(number)")
    }
  }

  @Test func `the manager is notified of start, reload and stop`() throws {
    let manager = try ManagerSocket()
    let program = try Program(
      ["--port", "0", "--storage", "memory"],
      variables: ["NOTIFY_SOCKET": manager.path]
    )
    let port = try program.waitForPort()
    #expect(try manager.receive() == ["STATUS=reading what is stored"])
    let ready = ["READY=1", "STATUS=listening on http://127.0.0.1:\(port)"]
    #expect(try manager.receive() == ready)
    program.send(SIGHUP)
    #expect(try manager.receive().first == "RELOADING=1")
    #expect(try manager.receive() == ready)
    program.send(SIGTERM)
    #expect(try manager.receive().first == "STOPPING=1")
    let ending = try program.waitForEnd()
    #expect(ending.status == 0 && !ending.error.contains("NOTIFY_SOCKET"))
  }

  @Test func `the program serves even if the manager cannot be notified`() throws {
    let variables = ["NOTIFY_SOCKET": "@tree-service-nobody"]
    let program = try Program(["--port", "0", "--storage", "memory"], variables: variables)
    let access = SocketAccess(port: try program.waitForPort())
    #expect(try access.send(Ask(.get, "/readyz")).status == 200)
    program.send(SIGTERM)
    let ending = try program.waitForEnd()
    #expect(ending.status == 0)
    #expect(ending.error.contains("cannot tell the service manager at NOTIFY_SOCKET: sendto: "))
  }

  @Test(
    arguments: [
      (["LISTEN_FDS": "2"], "descriptor 4, which is not open"), (["LISTEN_FDS": "x"], "is \"x\""),
      (["NOTIFY_SOCKET": "notify"], "NOTIFY_SOCKET is \"notify\""),
    ]
  )
  func `invalid variables of a service manager are refused`(
    variables: [String: String],
    hint: String
  ) throws {
    let passing = variables["LISTEN_FDS"].map { "export LISTEN_FDS=\($0) LISTEN_PID=$$;" } ?? ""
    let held = variables["LISTEN_FDS"] == nil ? nil : try HeldSocket()
    let program = try Program(
      ["--port", "0"],
      variables: variables,
      passing: passing,
      socket: held
    )
    let ending = try program.waitForEnd()
    #expect(ending.status == 2 && ending.output == "")
    #expect(ending.error.contains(hint) && ending.error.count { $0 == "\n" } == 1)
  }
}

extension Program {
  /// Returns the numbers of the open descriptors.
  fileprivate func openDescriptorNumbers() throws -> [Int] {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/\(identifier)/fd")
      .compactMap { Int($0) }
  }

  /// Returns the target of a descriptor; empty if it is closed.
  fileprivate func link(of descriptor: Int) throws -> String {
    let path = "/proc/\(identifier)/fd/\(descriptor)"
    return (try? FileManager.default.destinationOfSymbolicLink(atPath: path)) ?? ""
  }
}
