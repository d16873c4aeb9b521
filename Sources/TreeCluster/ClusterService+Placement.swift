import Synchronization
package import TreeAPI
import TreeStorage

// The places of trees and sessions, for forwarding.
extension ClusterService: Placement {
  /// The time in seconds after which a client should retry if no instance has the slot.
  private static let retryAfter = 1

  /// Returns the place of a shared tree by its id.
  package func place(ofTree id: [UInt8]) -> Place { place(core.cluster.slots.slot(of: id)) }

  /// Returns the place of a session by its id.
  package func place(ofSession id: [UInt8]) -> Place {
    place(core.slot(ofSession: id))
  }

  /// Returns the place of a new session with a private tree.
  package func place(ofNewSession token: [UInt8]?) -> Place {
    if let token { return place(core.slot(ofToken: token)) }
    if core.nextSlot() != nil { return .here }
    guard core.cluster.isValid, let other = others.randomElement() else {
      return .nowhere(retryAfter: Self.retryAfter)
    }
    return .at(other)
  }

  /// The addresses of the other instances that are alive.
  package var others: [String] { core.state.withLock { $0.others } }

  /// True if every slot is served.
  package var isComplete: Bool {
    core.cluster.isValid
      && core.state.withLock { state in
        (0..<core.cluster.slots.count).allSatisfy { state.place($0) != nil }
      }
  }

  private func place(_ slot: Int) -> Place {
    // Without a valid lease, the known owners may be out of date, too.
    let place = core.cluster.isValid ? core.state.withLock { $0.place(slot) } : nil
    return place ?? .nowhere(retryAfter: Self.retryAfter)
  }
}

extension ClusterCore.State {
  /// Returns the place of a slot; nil if no instance serves it.
  fileprivate func place(_ slot: Int) -> Place? {
    if open[slot]?.isServing == true { return .here }
    return isBusy[slot] ? nil : addresses[slot].map { .at($0) }
  }
}
