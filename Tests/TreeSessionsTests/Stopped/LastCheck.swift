import Synchronization
import TreeDomain

/// A control that stops work after a number of checks.
final class LastCheck: WorkControl {
  static let detail = "It is stopped."

  private let left: Atomic<Int>

  init(after checks: Int) { left = Atomic(checks) }

  func check() throws(ServiceError) {
    if left.subtract(1, ordering: .relaxed).newValue < 0 {
      throw ServiceError(.overloaded, Self.detail)
    }
  }
}
