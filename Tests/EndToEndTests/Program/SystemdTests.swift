import Foundation
import Glibc
import HTTP
import TestSupport
import Testing

/// The units of `Config/systemd`, and socket activation.
struct SystemdTests {
  /// Copies the units into a folder. The path of the built program replaces the installed one.
  private func units() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for name in ["tree-server.service", "tree-server.socket"] {
      let text = try String(
        contentsOfFile: "\(Tool.root)/Config/systemd/\(name)",
        encoding: .utf8
      )
      let there = text.replacing("/usr/local/bin/tree-server", with: TestedProgram.path)
      try folder.write(Array(there.utf8), to: name)
    }
    return folder
  }

  @Test(.enabled(if: Tool.isInstalled("systemd-analyze"), "systemd-analyze is not installed"))
  func `the units are valid and the service has few rights`() throws {
    let folder = try units()
    let analyze = try #require(Tool("systemd-analyze"))
    let (service, socket) = (
      "\(folder.path)/tree-server.service", "\(folder.path)/tree-server.socket"
    )
    let verified = try analyze.run(["verify", "--man=no", service, socket])
    #expect(verified.status == 0 && verified.output == "", "\(verified.output)")
    // The scale ends at 100, for a service with all rights.
    let exposed = try analyze.run(["security", "--offline=true", "--threshold=20", service])
    #expect(exposed.status == 0, "\(exposed.output)")
  }

  @Test(
    .enabled(
      if: Tool.isInstalled("systemd-socket-activate"),
      "systemd-socket-activate is not installed"
    )
  )
  func `the program serves sockets that systemd has opened`() throws {
    let folder = try TemporaryFolder()
    let (port, path) = (try HeldSocket().port, folder.path + "/socket")
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: try #require(Tool("systemd-socket-activate")).path)
    process.arguments =
      ["-l", "127.0.0.1:\(port)", "-l", path, TestedProgram.path, "--storage", "memory"]
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    defer {
      _ = Glibc.kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
    }
    while !FileManager.default.fileExists(atPath: path) { usleep(10_000) }
    // The first connection starts the program.
    let first = try BlockingConnection(path: path)
    try first.send(Ask(.get, "/healthz").bytes)
    #expect(try first.receive().status == 200)
    #expect(try SocketAccess(port: port).send(Ask(.get, "/readyz")).status == 200)
    let line = try #require(output.readSome())
    let places = "listening on http://127.0.0.1:\(port)\nlistening on unix:\(path)\n"
    #expect(String(decoding: line, as: UTF8.self) == places)
  }
}
