import Synchronization
public import TreeAPI
import TreeStorage

// The places of trees and sessions, for forwarding.
extension ClusterService: Placement {
  /// The time after which a retry may succeed while nobody has a slot, in seconds.
  private static let retryAfter = 1

  /// Returns the place of a shared tree by its id.
  public func place(ofTree id: [UInt8]) -> Place { place(core.cluster.slots.slot(of: id)) }

  /// Returns the place of a session by its id.
  public func place(ofSession id: [UInt8]) -> Place {
    place(core.slot(ofSession: id))
  }

  /// Returns the place of a session to be created with a tree of its own.
  public func place(ofNewSession token: [UInt8]?) -> Place {
    if let token { return place(core.slot(ofToken: token)) }
    if core.nextSlot() != nil { return .here }
    guard core.cluster.isValid, let other = others.randomElement() else {
      return .nowhere(retryAfter: Self.retryAfter)
    }
    return .at(other)
  }

  /// The addresses of the other instances that are alive.
  public var others: [String] { core.state.withLock { $0.others } }

  private func place(_ slot: Int) -> Place {
    // What this instance knows may be out of date, too.
    guard core.cluster.isValid else { return .nowhere(retryAfter: Self.retryAfter) }
    return core.state.withLock { state in
      if state.open[slot]?.isServing == true { return .here }
      guard !state.isBusy[slot], let address = state.addresses[slot] else {
        return .nowhere(retryAfter: Self.retryAfter)
      }
      return .at(address)
    }
  }
}
