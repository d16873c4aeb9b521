import Foundation
import Synchronization

/// A network on the loopback address that can be parted, slowed down and cut.
///
/// While it is parted, bytes wait, as those of TCP do, and go on afterwards unless the connections
/// were cut meanwhile.
package final class FaultyProxy: Sendable {
  /// The state of a direction.
  private struct Way {
    var isParted = false
    var delayMicroseconds: UInt32 = 0
  }

  private final class State: Sendable {
    private struct Contents {
      var requests = Way()
      var answers = Way()
      var lines: [WeakLine] = []
    }

    private struct WeakLine {
      weak var line: LoopbackProxy.Line?
    }

    private let contents = Mutex(Contents())

    func way(_ direction: LoopbackProxy.Direction) -> Way {
      contents.withLock { direction == .requests ? $0.requests : $0.answers }
    }

    func change(_ direction: LoopbackProxy.Direction, _ body: (inout Way) -> Void) {
      contents.withLock { contents in
        switch direction {
        case .requests: body(&contents.requests)
        case .answers: body(&contents.answers)
        }
      }
    }

    func note(_ line: LoopbackProxy.Line) {
      contents.withLock { contents in
        guard !contents.lines.contains(where: { $0.line === line }) else { return }
        contents.lines.removeAll { $0.line == nil }
        contents.lines.append(WeakLine(line: line))
      }
    }

    func cut() {
      let lines = contents.withLock { contents in
        defer { contents.lines = [] }
        return contents.lines.compactMap(\.line)
      }
      for line in lines { line.end() }
    }
  }

  private let state = State()
  private let proxy: LoopbackProxy

  /// Listens, and passes connections on to a port.
  package init(to target: Int) throws {
    proxy = try LoopbackProxy(to: target) { [state] bytes, direction, line in
      state.note(line)
      let delay = state.way(direction).delayMicroseconds
      if delay > 0 { usleep(delay) }
      while state.way(direction).isParted { usleep(2_000) }
      return bytes
    }
  }

  /// The port that it listens on.
  package var port: Int { proxy.port }

  /// Passes connections on to another port from now on.
  package func lead(to port: Int) { proxy.lead(to: port) }

  /// Ends all connections through it; new ones are passed on.
  package func cut() { state.cut() }

  /// Lets nothing through in some directions.
  package func part(_ directions: LoopbackProxy.Direction...) {
    for direction in directions { state.change(direction) { $0.isParted = true } }
  }

  /// Has everything of a direction wait for so long.
  package func delay(_ direction: LoopbackProxy.Direction, milliseconds: Int) {
    state.change(direction) { $0.delayMicroseconds = UInt32(milliseconds) * 1_000 }
  }

  /// Lets everything through at once again.
  package func heal() {
    for direction in [LoopbackProxy.Direction.requests, .answers] {
      state.change(direction) { $0 = Way() }
    }
  }
}
