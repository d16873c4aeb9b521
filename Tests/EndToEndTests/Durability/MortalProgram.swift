import Foundation
import Glibc
import Synchronization
import Testing

/// The built program over a data folder of its own, ended and started again while clients use it.
final class MortalProgram: Sendable {
  /// Where the program is reached, and which of its lives that is.
  struct Place: Equatable {
    var port: UInt16
    var life: Int
  }

  private struct State {
    var program: Program
    var place: Place
  }

  /// The folder it keeps its trees in.
  let folder: URL
  private let arguments: [String]
  private let state: Mutex<State>
  private let overness = Mutex(false)

  /// Starts it.
  ///
  /// - Parameters:
  ///   - settings: What the command line says beside the port and the folder.
  ///   - folder: The folder, which is removed in the end; an empty one by default.
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

  /// Where it is reached; waits while it is between two lives.
  var place: Place { state.withLock { $0.place } }

  /// Whether clients shall come to an end.
  var isOver: Bool { overness.withLock { $0 } }

  /// Has clients come to an end.
  func declareOver() { overness.withLock { $0 = true } }

  /// Kills it, wherever it is, and starts it again.
  func kill() throws {
    try restart { program in
      try #require(program.isRunning, "it has ended by itself")
      program.kill()
    }
  }

  /// Asks it to stop, which it has to do with status 0, and starts it again.
  func stop() throws {
    try restart { program in
      program.send(SIGTERM)
      let ending = try program.waitForEnd()
      #expect(ending.status == 0, "\(ending.error)")
    }
  }

  /// Under the lock, so that whoever has lost his connection finds the next life, if he lost it to
  /// this.
  private func restart(_ end: (Program) throws -> Void) throws {
    try state.withLock { state in
      try end(state.program)
      state.program = try Program(arguments)
      state.place = Place(port: try state.program.waitForPort(), life: state.place.life + 1)
    }
  }
}
