import Foundation
import Glibc
import TestSupport

/// An instance of the service on a port of its own, which it keeps from one process to the next.
///
/// It reaches the database, and the others reach it, through networks of its own.
final class Instance {
  /// The port for clients.
  let port: UInt16
  /// The networks that lead to the places of the database.
  let database: [FaultyProxy]
  /// The network that leads from the other instances here; nil if it is alone.
  let others: FaultyProxy?
  private var program: Program?
  private let arguments: [String]
  private let folder: TemporaryFolder

  /// Makes an instance over a database, which is not started yet.
  ///
  /// - Parameters:
  ///   - secret: The file of the secret of the cluster; nil for an instance that is alone.
  ///   - settings: What the command line says besides.
  init(
    over pair: PostgreSQLPair,
    port: UInt16,
    secret: String?,
    _ settings: [String] = []
  ) throws {
    self.port = port
    folder = try TemporaryFolder()
    database = try pair.networks.map { try FaultyProxy(to: $0.port) }
    var arguments = ["--port", "\(port)", "--storage", pair.uri(through: database)] + settings
    if let secret {
      let network = try FaultyProxy(to: Int(port))
      arguments += ["--advertise", "127.0.0.1:\(network.port)", "--cluster-secret-file", secret]
      others = network
    } else {
      others = nil
    }
    self.arguments = arguments
  }

  deinit { program?.kill() }

  /// The error output of all processes of the instance.
  var log: String { (try? String(contentsOfFile: "\(folder.path)/log", encoding: .utf8)) ?? "" }

  /// Starts a process, and waits until it accepts connections.
  func start() throws {
    let program = try Program(arguments, redirections: "2>> \(folder.path)/log")
    self.program = program
    guard try program.waitForPort() == port else { throw WireError("it has another port") }
  }

  /// Kills the process, wherever it is.
  func kill() throws { try take().kill() }

  /// Has the process give up what it owns, and waits for its end.
  func drain() throws {
    let program = try take()
    program.send(SIGTERM)
    let ending = try program.waitForEnd()
    guard ending.status == 0 else { throw WireError("it ended with status \(ending.status)") }
  }

  /// Stops the process, or has it go on.
  func signal(_ signal: Int32) { program?.send(signal) }

  /// Expects that the process has not ended by itself.
  func expectRunning() throws {
    guard let program, !program.isRunning else { return }
    throw WireError("the instance on port \(port) has ended by itself: \(log.suffix(2_000))")
  }

  private func take() throws -> Program {
    try expectRunning()
    defer { program = nil }
    guard let program else { throw WireError("the instance on port \(port) was not started") }
    return program
  }
}
