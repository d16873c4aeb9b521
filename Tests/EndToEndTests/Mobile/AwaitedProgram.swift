import Glibc
import Synchronization

/// The built program, for tests that do not block a thread of tasks.
final class AwaitedProgram: Sendable {
  /// The port that it listens on.
  let port: UInt16
  private let program: Mutex<Program>

  private init(_ arguments: [String]) throws {
    let program = try Program(["--port", "0"] + arguments)
    port = try program.waitForPort()
    self.program = Mutex(program)
  }

  /// Starts the program on a free port, and waits until it accepts connections.
  static func start(_ arguments: [String]) async throws -> AwaitedProgram {
    try await onThread { try AwaitedProgram(arguments) }
  }

  /// Asks it to stop.
  ///
  /// - Returns: Its exit status.
  func stop() async throws -> Int32 {
    try await onThread { [self] in
      try program.withLock { program in
        program.send(SIGTERM)
        return try program.waitForEnd().status
      }
    }
  }
}
