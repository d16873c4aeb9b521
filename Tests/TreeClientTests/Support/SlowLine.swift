import Synchronization

@testable import TreeClient

/// A line on which a test holds up what passes.
final class SlowLine: Sendable {
  /// A cargo.
  enum Cargo: Hashable, CaseIterable {
    /// A request for a stream, on its way to the service.
    case stream
    /// A page, on its way from the service.
    case page
    /// The answer to a change, on its way from the service.
    case answer
  }

  private struct State {
    var holds: Set<Cargo> = []
    var held: [(cargo: Cargo, gate: Gate)] = []
    var cuts = 0
  }

  private let state = Mutex(State())

  /// Holds up what passes from now on.
  func hold(_ cargo: Cargo) { state.withLock { _ = $0.holds.insert(cargo) } }

  /// Waits until a cargo is held.
  func waitUntilHeld(_ cargo: Cargo) async {
    while !state.withLock({ $0.held.contains { $0.cargo == cargo } }) { await Task.yield() }
  }

  /// Lets everything of some kinds pass.
  func release(_ kinds: Set<Cargo> = Set(Cargo.allCases)) {
    state.withLock { state in
      state.holds.subtract(kinds)
      for held in state.held where kinds.contains(held.cargo) { held.gate.open() }
      state.held.removeAll { kinds.contains($0.cargo) }
    }
  }

  /// Breaks the held requests; held answers still arrive.
  func cut() { state.withLock { $0.cuts += 1 } }

  /// Waits until the line lets a cargo pass.
  func pass(_ cargo: Cargo) async throws {
    let (gate, cuts) = state.withLock { state -> (Gate?, Int) in
      guard state.holds.contains(cargo) else { return (nil, state.cuts) }
      let gate = Gate()
      state.held.append((cargo, gate))
      return (gate, state.cuts)
    }
    await gate?.wait()
    try Task.checkCancellation()
    let isCut = state.withLock { $0.cuts > cuts }
    if isCut && cargo == .stream { throw NetworkLost() }
  }
}
