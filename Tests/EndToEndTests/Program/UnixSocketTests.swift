import Foundation
import Glibc
import HTTP
import TestSupport
import Testing

/// The program on a Unix socket, alone or together with a port.
struct UnixSocketTests {
  private static let key = "0123456789abcdef0123456789abcdef"

  private let folder: TemporaryFolder
  private var path: String { folder.path + "/socket" }

  init() throws { folder = try TemporaryFolder() }

  /// Starts a program on the socket alone, and waits until it listens.
  private func start(_ arguments: [String] = []) throws -> Program {
    let program = try Program(["--host", "", "--unix-socket", path] + arguments)
    #expect(try program.waitForLine() == "listening on unix:\(path)\n")
    return program
  }

  private func health(
    _ connection: BlockingConnection,
    host: String = "localhost"
  ) throws -> Answer {
    try connection.send("GET /healthz HTTP/1.1\r\nHost: \(host)\r\n\r\n".utf8)
    return try connection.receive()
  }

  private func permissions() throws -> Int? {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    return attributes[.posixPermissions] as? Int
  }

  private func expectEnd(_ program: Program) throws {
    program.send(SIGTERM)
    #expect(try program.waitForEnd().status == 0)
    #expect(!FileManager.default.fileExists(atPath: path), "the file of the socket is removed")
  }

  @Test func `all loops serve the socket, which is open to its own user only`() throws {
    let program = try start(["--loops", "2"])
    #expect(try permissions() == 0o600)
    let connections = try (0..<200).map { _ in try BlockingConnection(path: path) }
    for connection in connections { #expect(try health(connection).status == 200) }
    #expect(try health(connections[0], host: "evil.test").status == 421)
    program.send(SIGTERM)
    #expect(try connections[0].waitForEnd(), "an idle connection is closed at once")
    try expectEnd(program)
  }

  @Test func `port and socket serve one service, and the socket has no limit per address`() throws {
    let log = folder.path + "/log"
    let program = try Program(
      [
        "--host", "0.0.0.0", "--port", "0", "--unix-socket", path, "--unix-socket-mode", "0666",
        "--max-connections-per-address", "1", "--access-log", log,
      ],
      variables: ["TREE_SERVER_KEYS": "k:\(Self.key)"]
    )
    let lines = try program.waitForLine().split(separator: "\n")
    #expect(lines.last == "listening on unix:\(path)")
    #expect(lines.first?.hasPrefix("listening on http://0.0.0.0:") == true)
    let port = try #require(UInt16(lines[0].split(separator: ":")[2]))
    #expect(try permissions() == 0o666)
    let connections = try (0..<3).map { _ in try BlockingConnection(path: path) }
    for connection in connections { #expect(try health(connection).status == 200) }
    let fields = [("Authorization", "Bearer " + Self.key)]
    let make = Ask(.post, "/v1/trees", #"{"tree":"t"}"#, fields: fields)
    try connections[0].send(make.bytes)
    #expect(try connections[0].receive().status == 201)
    let access = SocketAccess(port: port)
    #expect(try access.send(Ask(.get, "/v1/trees/t", fields: fields)).status == 200)
    #expect(try access.send(Ask(.get, "/v1/trees/t")).status == 401)
    try expectEnd(program)
    let written = try String(contentsOfFile: log, encoding: .utf8)
    #expect(written.ranges(of: #""remote":"unix""#).count == 4)
    #expect(written.ranges(of: #""remote":"127.0.0.1""#).count == 2)
  }

  @Test func `a stale socket file is replaced, and one in use refuses the start`() throws {
    let dead = try start(["--unix-socket-mode", "644"])
    dead.kill()
    #expect(try permissions() == 0o644)
    let live = try start()
    #expect(try permissions() == 0o600)
    let second = try Program(["--host", "", "--unix-socket", path]).waitForEnd()
    #expect(second.status == 1 && second.output == "")
    #expect(second.error.contains("somebody listens on \(path) already"), "\(second.error)")
    #expect(try health(BlockingConnection(path: path)).status == 200)
    try expectEnd(live)
  }

  @Test(arguments: ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
  func `a closed standard stream is not replaced by a file opened later`(closed: String) throws {
    let log = ["--access-log", "stderr", "--data", folder.path]
    let program = try Program(
      ["--host", "", "--unix-socket", path] + log,
      redirections: closed
    )
    while !FileManager.default.fileExists(atPath: path) {
      try #require(program.isRunning)
      usleep(10_000)
    }
    var connection = try? BlockingConnection(path: path)
    while connection == nil { connection = try? BlockingConnection(path: path) }
    try connection?.send(Ask(.post, "/v1/trees", "{}").bytes)
    #expect(try connection?.receive().status == 201)
    let streams = try (0...2).map { number in
      try FileManager.default.destinationOfSymbolicLink(
        atPath: "/proc/\(program.identifier)/fd/\(number)"
      )
    }
    #expect(streams.allSatisfy { $0 == "/dev/null" || $0.hasPrefix("pipe:") }, "\(streams)")
    try expectEnd(program)
    #expect(try Program(["--check", "--data", folder.path]).waitForEnd().status == 0)
  }

  @Test func `the socket may be in the data folder`() throws {
    let program = try start(["--data", folder.path])
    #expect(try health(BlockingConnection(path: path)).status == 200)
    try expectEnd(program)
  }

  @Test func `a file that is no socket refuses the start and is kept`() throws {
    try Data("mine".utf8).write(to: URL(filePath: path))
    let ending = try Program(["--host", "", "--unix-socket", path]).waitForEnd()
    #expect(ending.status == 1)
    #expect(ending.error.contains("what lies at \(path) is no socket"), "\(ending.error)")
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "mine")
  }

  @Test func `a file that replaced the socket is not removed`() throws {
    let program = try start()
    try FileManager.default.removeItem(atPath: path)
    try Data("mine".utf8).write(to: URL(filePath: path))
    program.send(SIGTERM)
    #expect(try program.waitForEnd().status == 0)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "mine")
  }

  @Test func `the longest possible path is accepted`() throws {
    let name = String(repeating: "n", count: 107 - folder.path.utf8.count - 1)
    let path = folder.path + "/" + name
    let program = try Program(["--host", "", "--unix-socket", path])
    #expect(try program.waitForLine() == "listening on unix:\(path)\n")
    #expect(try health(BlockingConnection(path: path)).status == 200)
  }

  @Test func `a client that reads nothing is disconnected`() throws {
    let program = try start(["--write-stall-seconds", "1"])
    let connection = try BlockingConnection(path: path)
    let ask = Ask(.get, "/openapi.yaml").bytes
    for _ in 0..<20 { try connection.send(ask) }
    connection.waitForReset()
    #expect(throws: WireError.self) { for _ in 0..<20 { _ = try connection.receive() } }
    try expectEnd(program)
  }
}
