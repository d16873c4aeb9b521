import Synchronization
import TreeAPI

/// A distribution of trees and sessions over instances that a test decides.
final class FakePlacement: Placement {
  /// The plan that all instances of a cluster share.
  final class Plan: Sendable {
    private struct Content {
      var addresses: [String] = []
      /// The instances of trees and sessions by their ids.
      var owners: [[UInt8]: Int?] = [:]
      /// The instance of everything else.
      var usual: Int?
      var isAlive: [Bool] = []
    }

    private let content = Mutex(Content(usual: 0))

    func setAddresses(_ addresses: [String]) {
      content.withLock {
        $0.addresses = addresses
        $0.isAlive = addresses.map { _ in true }
      }
    }

    /// Changes the address of an instance, such as to a proxy before it.
    func setAddress(_ address: String, of instance: Int) {
      content.withLock { $0.addresses[instance] = address }
    }

    /// Puts everything that has no place of its own at an instance, or nowhere.
    func put(at instance: Int?) { content.withLock { $0.usual = instance } }

    /// Puts a tree or a session at an instance, or nowhere.
    func put(_ id: String, at instance: Int?) {
      content.withLock { $0.owners[Array(id.utf8)] = .some(instance) }
    }

    /// Takes an instance out of the lists of those that live.
    func forget(_ instance: Int) { content.withLock { $0.isAlive[instance] = false } }

    func place(of id: [UInt8]?, seenFrom instance: Int) -> Place {
      content.withLock { content in
        let owner = id.flatMap { content.owners[$0] } ?? content.usual
        guard let owner else { return .nowhere(retryAfter: 2) }
        return owner == instance ? .here : .at(content.addresses[owner])
      }
    }

    var isComplete: Bool {
      content.withLock { $0.usual != nil && $0.owners.values.allSatisfy { $0 != nil } }
    }

    func others(than instance: Int) -> [String] {
      content.withLock { content in
        content.addresses.indices.filter { $0 != instance && content.isAlive[$0] }
          .map { content.addresses[$0] }
      }
    }
  }

  private let plan: Plan
  private let instance: Int

  init(_ plan: Plan, seenFrom instance: Int) {
    self.plan = plan
    self.instance = instance
  }

  func place(ofTree id: [UInt8]) -> Place { plan.place(of: id, seenFrom: instance) }
  func place(ofSession id: [UInt8]) -> Place { plan.place(of: id, seenFrom: instance) }
  func place(ofNewSession token: [UInt8]?) -> Place { plan.place(of: token, seenFrom: instance) }
  var others: [String] { plan.others(than: instance) }
  var isComplete: Bool { plan.isComplete }
}
