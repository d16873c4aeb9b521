import Foundation
import Glibc

/// The built program, run as its users run it.
final class Program {
  /// What a run left behind.
  struct Ending {
    var status: Int32
    var output: String
    var error: String
  }

  private let process = Process()
  private let output = Pipe()
  private let error = Pipe()
  /// Where it keeps its trees, if nobody said otherwise; nobody else does.
  private let folder = FileManager.default.temporaryDirectory
    .appending(path: "tree-server-\(UUID().uuidString)").path()

  /// Starts the program, with no settings but those given, and a folder of its own for its data.
  ///
  /// - Parameters:
  ///   - arguments: The command line.
  ///   - variables: What is added to the environment.
  ///   - descriptors: How many it may have, if that is less than others may.
  ///   - redirections: What a shell does to its streams.
  ///   - passing: What a shell does before, after it has put the socket in its place.
  ///   - socket: A listening socket that is passed to it, as a service manager does.
  init(
    _ arguments: [String],
    variables: [String: String] = [:],
    descriptors: Int? = nil,
    redirections: String = "",
    passing: String = "",
    socket: HeldSocket? = nil
  ) throws {
    // The tests and the program are built into the same folder.
    let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let program = URL(filePath: tests).deletingLastPathComponent().appending(path: "tree-server")
    process.executableURL = URL(filePath: "/bin/sh")
    let limit = descriptors.map { "ulimit -n \($0);" } ?? ""
    // The shell gives its number to the program.
    let socketPassing =
      socket == nil ? "" : "exec 3<&0 0</dev/null; export LISTEN_FDS=1 LISTEN_PID=$$;"
    let script = #"\#(limit) \#(socketPassing) \#(passing) exec "$0" "$@" \#(redirections)"#
    process.arguments = ["-c", script, program.path()] + arguments
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

  /// Whether it has not ended yet.
  var isRunning: Bool { process.isRunning }

  /// Its process.
  var identifier: Int32 { process.processIdentifier }

  /// Ends it at once, wherever it is.
  func kill() {
    guard process.isRunning else { return }
    send(SIGKILL)
    process.waitUntilExit()
  }

  /// Waits until it accepts connections, and tells where.
  func waitForPort() throws -> UInt16 {
    let line = try waitForLine()
    for host in ["127.0.0.1", "0.0.0.0"] {
      let address = "listening on http://\(host):"
      guard line.hasPrefix(address) else { continue }
      if let port = UInt16(line.dropFirst(address.count).dropLast()) { return port }
    }
    throw WireError("it says where it listens in another form: \(line)")
  }

  /// Waits until it accepts connections, and tells what it says of that.
  func waitForLine() throws -> String { try read(output) { $0.last == UInt8(ascii: "\n") } }

  /// Sends a signal.
  func send(_ signal: Int32) {
    _ = Glibc.kill(process.processIdentifier, signal)
  }

  /// Waits for the end of the program.
  ///
  /// - Throws: ``WireError`` when it does not come, or not by the program's own will.
  func waitForEnd() throws -> Ending {
    // It has closed its output then.
    let output = try read(output) { _ in false }
    process.waitUntilExit()
    guard process.terminationReason == .exit else {
      let last = try read(error) { _ in false }.suffix(16_000)
      throw WireError("it was ended by signal \(process.terminationStatus): \(last)")
    }
    return Ending(
      status: process.terminationStatus,
      output: output,
      error: try read(error) { _ in false }
    )
  }

  /// What its open descriptors lead to, such as `socket:[4711]`.
  func openDescriptors() throws -> [String] {
    let folder = "/proc/\(process.processIdentifier)/fd"
    // One that is closed meanwhile leads nowhere.
    return try FileManager.default.contentsOfDirectory(atPath: folder).compactMap { name in
      try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(name)")
    }
  }

  /// Leaves no room where it writes its errors, not for a byte.
  ///
  /// A pipe that has no room for a line may still have some for a shorter one.
  func fillErrors() throws {
    let path = "/proc/\(process.processIdentifier)/fd/2"
    let descriptor = unsafe open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw WireError("its errors cannot be added to: \(errno)") }
    defer { close(descriptor) }
    var byte = UInt8(ascii: ".")
    while unsafe write(descriptor, &byte, 1) == 1 {}
    guard errno == EAGAIN else { throw WireError("its errors are not full: \(errno)") }
  }

  /// Lets it have so many descriptors from now on, by means of prlimit(1).
  func limitDescriptors(to count: Int) throws {
    let limiter = Process()
    limiter.executableURL = URL(filePath: "/usr/bin/prlimit")
    limiter.arguments = ["--pid", "\(process.processIdentifier)", "--nofile=\(count):"]
    try limiter.run()
    limiter.waitUntilExit()
    guard limiter.terminationStatus == 0 else { throw WireError("prlimit has failed") }
  }

  /// How much memory it has resident (proc(5), `statm`).
  func residentBytes() throws -> Int {
    let path = "/proc/\(process.processIdentifier)/statm"
    let text = try String(contentsOfFile: path, encoding: .utf8)
    guard let pages = text.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else {
      throw WireError("this is no memory statistic: \(text)")
    }
    return pages * Int(getpagesize())
  }

  /// Reads until it is enough or nothing more can come; gives up when nothing comes for a minute.
  private func read(_ pipe: Pipe, until isEnough: ([UInt8]) -> Bool) throws -> String {
    var received: [UInt8] = []
    while !isEnough(received) {
      guard let more = pipe.readSome() else {
        throw WireError("it does not go on after: \(String(decoding: received, as: UTF8.self))")
      }
      if more.isEmpty { break }
      received += more
    }
    return String(decoding: received, as: UTF8.self)
  }
}
