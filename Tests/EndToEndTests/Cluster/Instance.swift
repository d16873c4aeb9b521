import Foundation
import Glibc
import TestSupport

/// An instance of the service with its own port, which its successive processes share.
///
/// It has its own networks to the database and from other instances.
final class Instance {
  /// The port for clients.
  let port: UInt16
  /// The networks to the two places of the database.
  let database: [FaultyProxy]
  /// The network from the other instances; nil without a cluster.
  let others: FaultyProxy?
  private var program: Program?
  /// The time of day that the processes see.
  let clock: MovableClock
  private let arguments: [String]
  private let folder: TemporaryFolder

  /// Creates an instance on a database, without starting it.
  ///
  /// - Parameters:
  ///   - secret: The file with the secret of the cluster; nil without a cluster.
  ///   - settings: Further arguments of the program.
  init(
    over pair: PostgreSQLPair,
    port: UInt16,
    secret: String?,
    _ settings: [String] = []
  ) throws {
    self.port = port
    folder = try TemporaryFolder()
    clock = try MovableClock()
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

  /// The standard error of the processes.
  var log: String { (try? String(contentsOfFile: "\(folder.path)/log", encoding: .utf8)) ?? "" }

  /// Starts a process, and waits until it accepts connections.
  func start() throws {
    let program = try Program(
      arguments,
      variables: clock.variables,
      redirections: "2>> \(folder.path)/log"
    )
    self.program = program
    guard try program.waitForPort() == port else {
      throw WireError("the instance has another port")
    }
  }

  /// Kills the process.
  func kill() throws { try removeProgram().kill() }

  /// Ends the process with SIGTERM, so that it hands over its trees, and waits for its end.
  func drain() throws {
    let program = try removeProgram()
    program.send(SIGTERM)
    let ending = try program.waitForEnd()
    guard ending.status == 0 else {
      throw WireError("the instance ended with status \(ending.status)")
    }
  }

  /// Sends a signal to the process, such as SIGSTOP and SIGCONT.
  func signal(_ signal: Int32) { program?.send(signal) }

  /// Expects that the process has not ended by itself.
  func expectRunning() throws {
    guard let program, !program.isRunning else { return }
    throw WireError("the instance on port \(port) has ended by itself: \(log.suffix(2_000))")
  }

  private func removeProgram() throws -> Program {
    try expectRunning()
    defer { program = nil }
    guard let program else { throw WireError("the instance on port \(port) was not started") }
    return program
  }
}
