import Foundation
import Synchronization

/// A proxy on the loopback address that loses connections where a test wants it.
package final class CuttingProxy: Sendable {
  /// The fate of the next connection that it applies to.
  package enum Fate: Sendable {
    /// Everything is passed on.
    case pass
    /// The first answer with these bytes is held back, and the connection is lost.
    case cutAnswer(with: [UInt8])
    /// After so many bytes of requests, the connection is lost.
    case cutRequest(after: Int)
    /// Nothing is passed on for a while, in either direction.
    case stall
  }

  /// The fate that was set, and what it did.
  fileprivate final class State: Sendable {
    let fate = Mutex(Fate.pass)
    let cuts = Atomic(0)
  }

  private let state = State()
  private let proxy: LoopbackProxy

  /// Listens, and passes connections on to a port.
  package init(to target: Int) throws {
    proxy = try LoopbackProxy(to: target) { [state] bytes, direction, line in
      state.waitWhileStalled()
      switch direction {
      case .requests: return state.takeRequest(bytes, line)
      case .answers: return state.takeAnswer(bytes, line)
      }
    }
  }

  /// The port that it listens on.
  package var port: Int { proxy.port }

  /// Decides what becomes of connections from now on; a cut happens once.
  package func set(_ new: Fate) { state.fate.withLock { $0 = new } }

  /// The number of connections that were cut.
  package var cutCount: Int { state.cuts.load(ordering: .relaxed) }
}

extension CuttingProxy.State {
  /// Returns the bytes of a request that are passed on.
  fileprivate func takeRequest(_ bytes: [UInt8], _ line: LoopbackProxy.Line) -> [UInt8] {
    let kept = fate.withLock { fate -> Int? in
      guard case .cutRequest(let rest) = fate else { return nil }
      fate = rest < bytes.count ? .pass : .cutRequest(after: rest - bytes.count)
      return rest < bytes.count ? rest : nil
    }
    guard let kept else { return bytes }
    cuts.add(1, ordering: .relaxed)
    line.endForClient()
    return Array(bytes[..<kept])
  }

  /// Returns the bytes of an answer that are passed on.
  fileprivate func takeAnswer(_ bytes: [UInt8], _ line: LoopbackProxy.Line) -> [UInt8] {
    let isCut = fate.withLock { fate -> Bool in
      guard case .cutAnswer(let text) = fate, bytes.firstRange(of: text) != nil else {
        return false
      }
      fate = .pass
      return true
    }
    guard isCut else { return bytes }
    cuts.add(1, ordering: .relaxed)
    line.endForClient()
    return []
  }

  fileprivate func waitWhileStalled() {
    while true {
      let isStalled = fate.withLock { fate in
        if case .stall = fate { return true }
        return false
      }
      guard isStalled else { return }
      usleep(5_000)
    }
  }
}
