import Foundation
import Glibc
import TestSupport

/// A process of the built program.
final class Program {
  /// The outcome of a run.
  struct Ending {
    var status: Int32
    var output: String
    var error: String
  }

  private let process = Process()
  private let output = Pipe()
  private let error = Pipe()
  /// The data folder, unless the arguments name another.
  private let folder = FileManager.default.temporaryDirectory
    .appending(path: "tree-server-\(UUID().uuidString)").path()

  /// Starts the program with the given settings only, and its own data folder.
  ///
  /// - Parameters:
  ///   - arguments: The arguments of the program.
  ///   - variables: Variables to add to the environment.
  ///   - descriptors: The limit of open descriptors; nil for the inherited one.
  ///   - redirections: Redirections in shell syntax.
  ///   - passing: Shell commands that run last before the program starts.
  ///   - socket: A listening socket to pass to the program, as a service manager does.
  init(
    _ arguments: [String],
    variables: [String: String] = [:],
    descriptors: Int? = nil,
    redirections: String = "",
    passing: String = "",
    socket: HeldSocket? = nil
  ) throws {
    process.executableURL = URL(filePath: "/bin/sh")
    let limit = descriptors.map { "ulimit -n \($0);" } ?? ""
    // The shell passes its process id on to the program.
    let socketPassing =
      socket == nil ? "" : "exec 3<&0 0</dev/null; export LISTEN_FDS=1 LISTEN_PID=$$;"
    let script = #"\#(limit) \#(socketPassing) \#(passing) exec "$0" "$@" \#(redirections)"#
    process.arguments = ["-c", script, TestedProgram.path] + arguments
    let inherited = ProcessInfo.processInfo.environment
    process.environment = inherited.filter { !$0.key.hasPrefix("TREE_SERVER_") }
      .merging(["TREE_SERVER_DATA": folder]) { $1 }
      .merging(variables) { $1 }
    process.standardInput = socket?.handle ?? FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = error
    try process.run()
  }

  deinit {
    kill()
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// True if the program has not ended.
  var isRunning: Bool { process.isRunning }

  /// The process id.
  var identifier: Int32 { process.processIdentifier }

  /// Kills the program.
  func kill() {
    guard process.isRunning else { return }
    send(SIGKILL)
    process.waitUntilExit()
  }

  /// Waits until the program listens, and returns the port.
  func waitForPort() throws -> UInt16 {
    let line = try waitForLine()
    for host in ["127.0.0.1", "0.0.0.0"] {
      let address = "listening on http://\(host):"
      guard line.hasPrefix(address) else { continue }
      if let port = UInt16(line.dropFirst(address.count).dropLast()) { return port }
    }
    let reason = line.isEmpty ? try waitForEnd().error : line
    throw WireError("unexpected address line: \(reason)")
  }

  /// Waits until the program listens, and returns the line that it prints.
  func waitForLine() throws -> String { try read(output) { $0.last == UInt8(ascii: "\n") } }

  /// Sends a signal.
  func send(_ signal: Int32) {
    _ = Glibc.kill(process.processIdentifier, signal)
  }

  /// Waits for the end of the program.
  ///
  /// - Throws: ``WireError`` if the program does not end, or was ended by a signal.
  func waitForEnd() throws -> Ending {
    // Output ends when the program ends.
    let output = try read(output) { _ in false }
    process.waitUntilExit()
    guard process.terminationReason == .exit else {
      let last = try read(error) { _ in false }.suffix(16_000)
      throw WireError("ended by signal \(process.terminationStatus): \(last)")
    }
    return Ending(
      status: process.terminationStatus,
      output: output,
      error: try read(error) { _ in false }
    )
  }

  /// Returns the targets of the open descriptors, such as `socket:[4711]`.
  func openDescriptors() throws -> [String] {
    let folder = "/proc/\(process.processIdentifier)/fd"
    // A descriptor that was closed meanwhile has no target.
    return try FileManager.default.contentsOfDirectory(atPath: folder).compactMap { name in
      try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(name)")
    }
  }

  /// Fills the pipe of the program's standard error to the last byte.
  ///
  /// A pipe without room for a line may still have room for a shorter one.
  func fillErrors() throws {
    let path = "/proc/\(process.processIdentifier)/fd/2"
    let descriptor = unsafe open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw WireError("standard error cannot be opened: \(errno)") }
    defer { close(descriptor) }
    var byte = UInt8(ascii: ".")
    while unsafe write(descriptor, &byte, 1) == 1 {}
    guard errno == EAGAIN else { throw WireError("standard error is not full: \(errno)") }
  }

  /// Sets the limit of open descriptors with prlimit(1).
  func limitDescriptors(to count: Int) throws {
    let limiter = Process()
    limiter.executableURL = URL(filePath: "/usr/bin/prlimit")
    limiter.arguments = ["--pid", "\(process.processIdentifier)", "--nofile=\(count):"]
    try limiter.run()
    limiter.waitUntilExit()
    guard limiter.terminationStatus == 0 else { throw WireError("prlimit has failed") }
  }

  /// Returns the resident memory in bytes (proc(5), `statm`).
  func residentBytes() throws -> Int {
    let path = "/proc/\(process.processIdentifier)/statm"
    let text = try String(contentsOfFile: path, encoding: .utf8)
    guard let pages = text.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else {
      throw WireError("unexpected memory statistic: \(text)")
    }
    return pages * Int(getpagesize())
  }

  /// Reads until `isEnough` or the end of the file; throws after a minute without data.
  private func read(_ pipe: Pipe, until isEnough: ([UInt8]) -> Bool) throws -> String {
    var received: [UInt8] = []
    while !isEnough(received) {
      guard let more = pipe.readSome() else {
        throw WireError("no output after: \(String(decoding: received, as: UTF8.self))")
      }
      if more.isEmpty { break }
      received += more
    }
    return String(decoding: received, as: UTF8.self)
  }
}
