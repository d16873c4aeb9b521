import Foundation
import Glibc
import Synchronization
import Testing

/// The built program with its own data folder, which is ended and restarted while clients use it.
final class MortalProgram: Sendable {
  /// The port of the program, and the number of its start.
  struct Place: Equatable {
    var port: UInt16
    var life: Int
  }

  private struct State {
    var program: Program
    var place: Place
  }

  /// The data folder.
  let folder: URL
  private let arguments: [String]
  private let state: Mutex<State>
  private let overState = Mutex(false)
  private let replays = Atomic(0)

  /// Starts the program.
  ///
  /// - Parameters:
  ///   - settings: The arguments beside the port and the folder.
  ///   - folder: The data folder, which is removed at the end; a new one by default.
  init(_ settings: [String] = [], over folder: URL? = nil) throws {
    let folder =
      folder
      ?? FileManager.default.temporaryDirectory.appending(path: "trees-\(UUID().uuidString)")
    self.folder = folder
    arguments = ["--port", "0", "--data", folder.path()] + settings
    let program = try Program(arguments)
    let place = Place(port: try program.waitForPort(), life: 1)
    state = Mutex(State(program: program, place: place))
  }

  deinit {
    state.withLock { $0.program.kill() }
    try? FileManager.default.removeItem(at: folder)
  }

  /// The current place; waits during a restart.
  var place: Place { state.withLock { $0.place } }

  /// True if clients must finish.
  var isOver: Bool { overState.withLock { $0 } }

  /// Asks clients to finish.
  func declareOver() { overState.withLock { $0 = true } }

  /// True if a repeated request had been applied the first time.
  var hasReplays: Bool { replays.load(ordering: .relaxed) > 0 }

  /// Counts a repeated request that had been applied the first time.
  func countReplay() { replays.add(1, ordering: .relaxed) }

  /// Kills the program at any moment, and starts it again.
  func kill() throws {
    try restart { program in
      try #require(program.isRunning, "the program has ended by itself")
      program.kill()
    }
  }

  /// Ends the program with SIGTERM, expects status 0, and starts it again.
  func stop() throws {
    try restart { program in
      program.send(SIGTERM)
      let ending = try program.waitForEnd()
      #expect(ending.status == 0, "\(ending.error)")
    }
  }

  /// Restarts under the lock. A client that lost its connection to the restart then gets the new
  /// place.
  private func restart(_ end: (Program) throws -> Void) throws {
    try state.withLock { state in
      try end(state.program)
      state.program = try Program(arguments)
      state.place = Place(port: try state.program.waitForPort(), life: state.place.life + 1)
    }
  }
}
