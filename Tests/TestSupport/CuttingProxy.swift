import Foundation
import Synchronization

/// A proxy on the loopback address that cuts connections on demand.
package final class CuttingProxy: Sendable {
  /// The treatment of connections.
  package enum Fate: Sendable {
    /// Forwards everything.
    case pass
    /// Cuts the connection instead of forwarding the first answer that contains these bytes.
    case cutAnswer(with: [UInt8])
    /// Cuts the connection after so many bytes of requests.
    case cutRequest(after: Int)
    /// Forwards nothing in either direction.
    case stall
  }

  /// The current treatment, and the number of cuts.
  fileprivate final class State: Sendable {
    let fate = Mutex(Fate.pass)
    let cuts = Atomic(0)
  }

  private let state = State()
  private let proxy: LoopbackProxy

  /// Listens on a free port, and forwards connections to a port.
  package init(to target: Int) throws {
    proxy = try LoopbackProxy(to: target) { [state] bytes, direction, line in
      state.waitWhileStalled()
      switch direction {
      case .requests: return state.filterRequest(bytes, line)
      case .answers: return state.filterAnswer(bytes, line)
      }
    }
  }

  /// The port of the proxy.
  package var port: Int { proxy.port }

  /// Sets the treatment of connections. A cut happens once, then all is forwarded.
  package func set(_ new: Fate) { state.fate.withLock { $0 = new } }

  /// The number of connections that were cut.
  package var cutCount: Int { state.cuts.load(ordering: .relaxed) }
}

extension CuttingProxy.State {
  /// Returns the bytes of a request to forward.
  fileprivate func filterRequest(_ bytes: [UInt8], _ line: LoopbackProxy.Line) -> [UInt8] {
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

  /// Returns the bytes of an answer to forward.
  fileprivate func filterAnswer(_ bytes: [UInt8], _ line: LoopbackProxy.Line) -> [UInt8] {
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
