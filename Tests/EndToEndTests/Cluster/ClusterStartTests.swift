import Foundation
import Glibc
import HTTP
import TestSupport
import Testing

/// Tests the start of three instances behind nginx, with the lines of the article `Cluster`.
@Suite(
  .enabled(if: PostgreSQLServer.programs != nil),
  .enabled(if: Tool.isInstalled("nginx") && Tool.isInstalled("openssl"))
)
struct ClusterStartTests {
  private static let trees = (0..<12).map { "tree-\($0)" }

  /// The processes of an article's lines, which end with this object.
  private final class Started {
    let port: UInt16
    private let folder: TemporaryFolder
    private let nginx = Process()

    /// Runs the first two blocks of the article: a script, and a site of nginx.
    init(_ blocks: [String], uri: String) throws {
      folder = try TemporaryFolder()
      let ports = try (0..<4).map { _ in try HeldSocket() }.map(\.port)
      port = ports[0]
      func filled(_ block: String) -> String {
        (0..<4).reduce(block) { $0.replacing("808\($1)", with: "\(ports[$1])") }
      }
      let script = filled(blocks[0]).replacing("postgresql://trees@127.0.0.1/trees", with: uri)
        .replacing(" &\n", with: " 2>> log & echo $! >> pids\n")
      let site = Proxy.nginxFrame(filled(blocks[1]), in: folder.path)
      try folder.write(Array(site.utf8), to: "site")
      let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
      let programs = URL(filePath: tests).deletingLastPathComponent().path()
      let shell = Process()
      shell.executableURL = URL(filePath: "/bin/sh")
      shell.arguments = ["-c", script]
      shell.currentDirectoryURL = URL(filePath: folder.path)
      shell.environment = ["PATH": "\(programs):/usr/bin:/bin", "HOME": folder.path]
      shell.standardOutput = FileHandle.nullDevice
      shell.standardError = FileHandle.nullDevice
      try shell.run()
      // Its end is not noticed before that of the processes that it leaves behind.
      while processes.count < 3, shell.isRunning { usleep(10_000) }
      nginx.executableURL = URL(filePath: try #require(Tool("nginx")).path)
      nginx.arguments = ["-p", folder.path, "-c", "\(folder.path)/site"]
      nginx.standardOutput = FileHandle.nullDevice
      nginx.standardError = FileHandle.nullDevice
      try nginx.run()
    }

    deinit {
      nginx.terminate()
      for _ in 0..<500 where nginx.isRunning { usleep(10_000) }
      if nginx.isRunning { _ = Glibc.kill(nginx.processIdentifier, SIGKILL) }
      for process in processes { _ = Glibc.kill(process, SIGKILL) }
    }

    /// The instances, in the order of their start.
    var processes: [Int32] {
      String(decoding: folder.bytes(of: "pids") ?? [], as: UTF8.self)
        .split(separator: "\n").compactMap { Int32($0) }
    }

    var log: String { String(decoding: folder.bytes(of: "log") ?? [], as: UTF8.self) }
  }

  private func insert(_ key: String, _ line: inout RovingLine) throws {
    for tree in Self.trees {
      let body = #"{"operations":[{"op":"insert","key":"\#(key)"}]}"#
      let fields = [(name: "Idempotency-Key", value: "\(tree)-\(key)")]
      let answer = try line.send(Ask(.post, "/v1/trees/\(tree)/batch", body, fields: fields))
      #expect(answer?.status == 200, "\(answer?.text ?? "")")
    }
  }

  @Test func `three instances behind nginx start as described, and one may be killed`() throws {
    let article = try String(
      contentsOfFile: "\(Tool.root)/Sources/Composition/Documentation.docc/Cluster.md",
      encoding: .utf8
    )
    let parts = article.components(separatedBy: "```\n")
    let blocks = stride(from: 1, to: parts.count, by: 2).map { parts[$0] }
    let server = try #require(PostgreSQLServer.shared)
    let database = try server.makeDatabase()
    let uri = "postgresql://postgres@127.0.0.1:\(server.port)/\(database)"
    let started = try Started(blocks, uri: uri)
    try #require(started.processes.count == 3)
    var line = RovingLine(ports: [started.port], random: SeededGenerator(seed: 1))
    for tree in Self.trees {
      let answer = try line.send(Ask(.post, "/v1/trees", #"{"tree":"\#(tree)"}"#))
      #expect([201, 409].contains(answer?.status), "\(answer?.text ?? "") \(started.log)")
    }
    let count = "SELECT count(DISTINCT owner) FROM tree_service.slots WHERE owner > 0"
    for _ in 0..<600 {
      if try server.sql(count, in: database) == "3" { break }
      usleep(100_000)
    }
    try insert("a", &line)
    _ = kill(started.processes[1], SIGKILL)
    try insert("b", &line)
    for tree in Self.trees {
      let answer = try #require(try line.send(Ask(.get, "/v1/trees/\(tree)")))
      #expect(try answer.json()["nodeCount"]?.integer == 2, "\(answer.text)")
    }
  }
}
