import Foundation
import Synchronization

/// A network on the loopback address that can be partitioned, delayed and cut.
///
/// During a partition bytes are held, as by TCP. They are forwarded afterwards, unless the
/// connections were cut meanwhile.
package final class FaultyProxy: Sendable {
  /// The state of a direction.
  private struct DirectionState {
    var isParted = false
    var delayMicroseconds: UInt32 = 0
  }

  private final class State: Sendable {
    private struct Contents {
      var requests = DirectionState()
      var answers = DirectionState()
      var lines: [WeakLine] = []
    }

    private struct WeakLine {
      weak var line: LoopbackProxy.Line?
    }

    private let contents = Mutex(Contents())

    func state(of direction: LoopbackProxy.Direction) -> DirectionState {
      contents.withLock { direction == .requests ? $0.requests : $0.answers }
    }

    func change(_ direction: LoopbackProxy.Direction, _ body: (inout DirectionState) -> Void) {
      contents.withLock { contents in
        switch direction {
        case .requests: body(&contents.requests)
        case .answers: body(&contents.answers)
        }
      }
    }

    func add(_ line: LoopbackProxy.Line) {
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

  /// Listens on a free port, and forwards connections to a port.
  package init(to target: Int) throws {
    proxy = try LoopbackProxy(to: target) { [state] bytes, direction, line in
      state.add(line)
      let delay = state.state(of: direction).delayMicroseconds
      if delay > 0 { usleep(delay) }
      while state.state(of: direction).isParted { usleep(2_000) }
      return bytes
    }
  }

  /// The port of the proxy.
  package var port: Int { proxy.port }

  /// Forwards new connections to another port.
  package func lead(to port: Int) { proxy.lead(to: port) }

  /// Ends all current connections. New ones are forwarded.
  package func cut() { state.cut() }

  /// Holds all bytes of some directions.
  package func part(_ directions: LoopbackProxy.Direction...) {
    for direction in directions { state.change(direction) { $0.isParted = true } }
  }

  /// Delays all bytes of a direction.
  package func delay(_ direction: LoopbackProxy.Direction, milliseconds: Int) {
    state.change(direction) { $0.delayMicroseconds = UInt32(milliseconds) * 1_000 }
  }

  /// Ends partitions and delays.
  package func heal() {
    for direction in [LoopbackProxy.Direction.requests, .answers] {
      state.change(direction) { $0 = DirectionState() }
    }
  }
}
