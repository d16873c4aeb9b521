import Foundation
import Glibc
import HTTP
import TestSupport
import Testing

/// The program's command line, settings, signals and exit status.
struct ProgramTests {
  @Test func `standard output has nothing but the address`() throws {
    let program = try Program(["--port", "0"])
    let access = SocketAccess(port: try program.waitForPort())
    #expect(try access.send(Ask(.get, "/healthz")).status == 200)
    program.send(SIGINT)
    let ending = try program.waitForEnd()
    #expect(ending.status == 0 && ending.output == "")
    let lines = ending.error.split(separator: "\n", omittingEmptySubsequences: false)
    let names = lines.compactMap { $0.split(separator: "\"").dropFirst().first }
    #expect(names == ["port", "data"], "the settings that differ from their defaults")
    #expect(lines.count == 5, "no other lines: \(ending.error)")
  }

  @Test(arguments: ["off", "stderr"])
  func `without a log file, SIGHUP does nothing`(log: String) throws {
    let program = try Program(["--port", "0", "--access-log", log])
    let access = SocketAccess(port: try program.waitForPort())
    for _ in 0..<3 {
      program.send(SIGHUP)
      #expect(try access.send(Ask(.get, "/healthz")).status == 200)
    }
    program.send(SIGTERM)
    #expect(try program.waitForEnd().status == 0)
  }

  @Test func `on SIGTERM, requests under way are answered and the program ends`() throws {
    let program = try Program(["--port", "0", "--loops", "1"])
    let port = try program.waitForPort()
    let session = try RemoteSession(SocketAccess(port: port), Sample.options)
    let idle = try BlockingConnection(port: port)
    try idle.send(Ask(.get, "/healthz").bytes)
    #expect(try idle.receive().status == 200)
    var ask = Ask(.post, session.path + "/batch", #"{"operations":[{"op":"expandAll"}]}"#)
    ask.fields.append(("Expect", "100-continue"))
    let busy = try BlockingConnection(port: port)
    try busy.send(ask.head(framing: "Content-Length: \(ask.body.count)"))
    #expect(try busy.receive(orInterim: true).status == 100, "the request is under way")
    try busy.send(ask.body.prefix(7))

    program.send(SIGTERM)
    #expect(try idle.waitForEnd(), "an idle connection is closed at once")
    try busy.send(ask.body.dropFirst(7))
    let answer = try busy.receive()
    #expect(answer.status == 200 && answer["Connection"] == "close")
    #expect(try answer.json()["rowCount"]?.integer == 6)
    #expect(try busy.waitForEnd())
    #expect(try program.waitForEnd().status == 0)
    #expect(throws: WireError.self) { try BlockingConnection(port: port) }
  }

  @Test func `an incomplete request does not delay the end`() throws {
    let program = try Program(["--port", "0", "--drain-seconds", "0"])
    let stuck = try BlockingConnection(port: program.waitForPort())
    let ask = Ask(.post, "/v1/sessions", "{}", fields: [("Expect", "100-continue")])
    try stuck.send(ask.head(framing: "Content-Length: 2"))
    #expect(try stuck.receive(orInterim: true).status == 100)
    program.send(SIGTERM)
    let ending = try program.waitForEnd()
    #expect(ending.status == 0)
    #expect(ending.error.hasSuffix("were over: 1\n"), "\(ending.error)")
  }

  @Test func `a blocked thread does not prevent the end, with status 1`() throws {
    let folder = try TemporaryFolder()
    let pipe = try folder.makePipe("log")
    let reader = try #require(FileHandle(forUpdatingAtPath: pipe))
    defer { try? reader.close() }
    let ending = try endWithUnreadLog(pipe)
    #expect(ending.status == 1)
    #expect(ending.error.contains("work is still under way"), "\(ending.error)")
  }

  @Test func `a blocked thread and a full standard error do not prevent the end`() throws {
    // Standard error is read after the end.
    let ending = try endWithUnreadLog("stderr")
    #expect(ending.status == 1)
    #expect(!ending.error.contains("work is still under way"), "there was no room to say so")
  }

  /// Makes the program log more lines than a pipe holds (pipe(7)), with no reader, and stops it.
  private func endWithUnreadLog(_ log: String) throws -> Program.Ending {
    let settings = ["--access-log", log, "--drain-seconds", "0", "--storage", "memory"]
    let program = try Program(["--port", "0"] + settings)
    let access = SocketAccess(port: try program.waitForPort())
    for _ in 0..<600 { #expect(try access.send(Ask(.get, "/healthz")).status == 200) }
    if log == "stderr" { try program.fillErrors() }
    program.send(SIGTERM)
    return try program.waitForEnd()
  }

  @Test func `a log pipe without a reader refuses the start`() throws {
    let folder = try TemporaryFolder()
    let pipe = try folder.makePipe("log")
    let ending = try Program(["--port", "0", "--access-log", pipe]).waitForEnd()
    #expect(ending.status == 1)
    #expect(ending.error.contains("\(pipe): open: "), "\(ending.error)")
    #expect(ending.error.contains("it is a pipe, and nobody reads from it"))
  }

  @Test func `with fewer descriptors, fewer connections are served and a message says so`() throws {
    let program = try Program(["--port", "0", "--loops", "1"], descriptors: 150)
    let port = try program.waitForPort()
    let clients = try (0..<60).map { _ in try BlockingConnection(port: port) }
    // Each client leaves its request incomplete.
    for client in clients { try client.send("GET /".utf8) }
    // Once the last one is refused, all have been accepted.
    #expect(try clients[59].receive().status == 503)
    var served = 0
    for client in clients.dropLast() {
      try? client.send("healthz HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)
      if try client.receive().status == 200 { served += 1 }
    }
    #expect(served > 0)
    program.send(SIGTERM)
    let ending = try program.waitForEnd()
    #expect(ending.status == 0)
    #expect(ending.error.contains("150 descriptors"), "\(ending.error)")
    #expect(ending.error.contains("\(served) connections instead of 16384"), "\(ending.error)")
  }

  @Test func `too few descriptors for the loops refuse the start with a message`() throws {
    let ending = try Program(["--port", "0", "--loops", "1024"], descriptors: 1_000).waitForEnd()
    #expect(ending.status == 1 && ending.output == "")
    #expect(ending.error.contains("1000 descriptors, which are too few for 1024 loops"))
  }

  @Test func `a port in use refuses the start`() throws {
    let first = try Program(["--port", "0"])
    let port = try first.waitForPort()
    let second = try Program(["--port", "\(port)"]).waitForEnd()
    #expect(second.status == 1 && second.output == "")
    #expect(second.error.contains("port \(port) is in use"), "\(second.error)")
    let access = SocketAccess(port: port)
    for _ in 0..<20 { #expect(try access.send(Ask(.get, "/healthz")).status == 200) }
    first.send(SIGTERM)
    #expect(try first.waitForEnd().status == 0)
  }

  @Test(
    arguments: [
      (["--prot", "1"], [:], "--port"), (["--port"], [:], "--port"),
      (["--port", "x"], [:], "--port"), (["--port", "65536"], [:], "65535"),
      (["--port", "1", "--port", "2"], [:], "twice"), (["serve"], [:], "serve"),
      (["--config", "/nowhere/server.json"], [:], "/nowhere/server.json"),
      (["--host", "0.0.0.0"], [:], "allowUnauthenticatedRemote"),
      (["--host", "nobody"], [:], "nobody"),
      ([], ["TREE_SERVER_MAX_BODY_BYTE": "1"], "TREE_SERVER_MAX_BODY_BYTES"),
      ([], ["TREE_SERVER_PORT": ""], "TREE_SERVER_PORT"),
    ] as [([String], [String: String], String)]
  )
  func `a wrong setting is refused with its name`(
    arguments: [String],
    variables: [String: String],
    hint: String
  ) throws {
    let ending = try Program(arguments, variables: variables).waitForEnd()
    #expect(ending.status == 2 && ending.output == "")
    #expect(ending.error.hasPrefix("tree-server: ") && ending.error.contains(hint))
    #expect(ending.error.count { $0 == "\n" } == 1, "one line: \(ending.error)")
  }

  @Test func `an unknown setting of the file is refused with its name`() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: file) }
    try Data(#"{"port": 0, "maxBodyByte": 1}"#.utf8).write(to: file)
    let ending = try Program(["--config", file.path()]).waitForEnd()
    #expect(ending.status == 2)
    #expect(ending.error.contains("maxBodyByte;") && ending.error.contains("maxBodyBytes"))
  }

  @Test func `the environment overrides the file, and arguments override both`() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: file) }
    try Data(#"{"port": 1, "maxSessions": 1, "maxNodesPerBody": 2}"#.utf8).write(to: file)
    let program = try Program(
      ["--port", "0"],
      variables: ["TREE_SERVER_CONFIG": file.path(), "TREE_SERVER_MAX_SESSIONS": "2"]
    )
    let access = SocketAccess(port: try program.waitForPort())
    let nodes = #"{"nodes":[{"key":"a"},{"key":"b"},{"key":"c"}]}"#
    let refused = try access.send(Ask(.post, "/v1/sessions", nodes))
    try expectProblem(refused, 413, "content-too-large", ["limit": "2"])
    for status in [201, 201, 503] {
      #expect(try access.send(Ask(.post, "/v1/sessions")).status == status)
    }
    program.send(SIGTERM)
    #expect(try program.waitForEnd().status == 0)
  }

  @Test func `help, version and check print and exit with status 0`() throws {
    let help = try Program(["--help"]).waitForEnd()
    #expect(help.status == 0 && help.error == "" && help.output.contains("--max-body-bytes"))
    let version = try Program(["--version"]).waitForEnd()
    #expect(version.status == 0 && version.output == "tree-server 0.2.0\n" && version.error == "")
    let check = try Program(["--check", "--port", "7"]).waitForEnd()
    #expect(check.status == 0 && check.output.contains("\"port\": 7,"))
    #expect(check.error.hasSuffix("/trees.sqlite: nothing is stored here yet\n"))
  }

  @Test func `a check counts what is stored, even while a service runs`() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    let variables = ["TREE_SERVER_DATA": folder.path()]
    let program = try Program(["--port", "0"], variables: variables)
    let access = SocketAccess(port: try program.waitForPort())
    let tree = #"{"nodes":[{"key":"a"}]}"#
    #expect(try access.send(Ask(.post, "/v1/trees", tree)).status == 201)
    let check = try Program(["--check"], variables: variables).waitForEnd()
    #expect(check.status == 0)
    #expect(check.error.hasSuffix("/trees.sqlite: 1 tree, 0 sessions, 1 node\n"))
  }
}
