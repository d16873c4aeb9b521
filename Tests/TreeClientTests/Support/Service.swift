import Foundation
import TestSupport

@testable import TreeClient

/// A service that runs in a process of its own, on a folder that is kept when it is killed.
final class Service {
  private let folder: TemporaryFolder
  private let flags: [String]
  private var process = Process()
  private(set) var port = 0

  /// Starts the service.
  init(_ flags: [String] = ["--storage", "memory"]) async throws {
    folder = try TemporaryFolder()
    self.flags = flags
    try await start()
  }

  deinit { kill() }

  /// Starts it again, at the same port.
  func start() async throws {
    process = Process()
    process.executableURL = URL(filePath: TestedProgram.path)
    process.arguments = ["--data", folder.path, "--port", String(port)] + flags
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    try process.run()
    port = try await Self.port(saidIn: output.fileHandleForReading)
  }

  /// Ends it at once.
  func kill() {
    guard process.isRunning else { return }
    _ = Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  /// The address.
  var address: String { "http://127.0.0.1:\(port)" }

  /// Returns a client.
  func client(_ transport: any TreeTransport = TreeClient.usualTransport) throws -> TreeClient {
    guard let url = URL(string: address) else { throw URLError(.badURL) }
    // Waits are as random as they are, but shorter.
    let pacing = Pacing(sleep: { try await Task.sleep(for: $0 / 50) })
    return TreeClient(url, nil, transport, [], pacing)
  }

  /// Returns the port of the line that says where the service listens.
  private static func port(saidIn handle: FileHandle) async throws -> Int {
    try await Task.detached {
      var said = ""
      while true {
        let more = handle.availableData
        said += String(decoding: more, as: UTF8.self)
        if let match = said.firstMatch(of: #/listening on http://127\.0\.0\.1:(\d+)\n/#),
          let port = Int(match.1)
        {
          // Its errors go on into the pipe, and somebody has to read them.
          handle.readabilityHandler = { _ = $0.availableData }
          return port
        }
        if more.isEmpty { throw NotStarted(said: said) }
      }
    }.value
  }

  private struct NotStarted: Error {
    let said: String
  }
}
