import Synchronization

/// Bytes of keys and objects over all trees.
///
/// A sum that each tree adds its own changes to; nothing is decided by it but whether there is
/// room, so that relaxed order is enough.
final class ByteUsage: Sendable {
  private let total = Atomic<Int>(0)

  /// The bytes held at this moment.
  var bytes: Int { total.load(ordering: .relaxed) }

  func add(_ change: Int) { total.add(change, ordering: .relaxed) }
}
