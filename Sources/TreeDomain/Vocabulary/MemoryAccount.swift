import Synchronization

/// The account of the memory that the service holds, by kind, with the limit of the sum.
///
/// The holder of memory adds its size. The counters order nothing, so relaxed atomics are enough.
/// The limit may be exceeded by additions of several threads at the same moment.
package final class MemoryAccount: Sendable {
  private final class Sum: Sendable {
    let bytes = Atomic(0)
  }

  /// The limit in bytes.
  package let limit: Int
  /// The part of the limit for requests and answers, in bytes.
  ///
  /// They are bounded elsewhere.
  package let reserved: Int
  private let sums = MemoryKind.allCases.map { _ in Sum() }
  private let sum = Atomic(0)
  private let resident: (@Sendable () -> Int)?

  /// The size in bytes from which on an addition is also compared with the process's memory.
  ///
  /// Below a small limit, additions of less than 1 MiB matter, too.
  private var largeBytes: Int { min(1 << 20, limit / 256) }

  /// Creates an empty account.
  ///
  /// - Parameters:
  ///   - limit: The limit in bytes.
  ///   - reserved: The part of the limit that is bounded elsewhere. At most a quarter of the limit.
  ///   - resident: Returns the memory of the process in bytes; `nil` if it is unknown.
  package init(limit: Int, reserved: Int = 0, resident: (@Sendable () -> Int)? = nil) {
    self.limit = limit
    self.reserved = min(reserved, limit / 4)
    self.resident = resident
  }

  /// The memory held now, by kind.
  package var bytes: MemoryBytes {
    var bytes = MemoryBytes()
    for kind in MemoryKind.allCases {
      bytes[kind] = sums[kind.place].bytes.load(ordering: .relaxed)
    }
    return bytes
  }

  /// The memory held now, in bytes.
  package var total: Int { sum.load(ordering: .relaxed) }

  /// The limit without the reserved part, in bytes.
  package var room: Int { limit - reserved }

  /// Adds bytes of a kind.
  ///
  /// A negative count subtracts.
  package func add(_ count: Int, to kind: MemoryKind) {
    guard count != 0 else { return }
    sums[kind.place].bytes.add(count, ordering: .relaxed)
    sum.add(count, ordering: .relaxed)
  }

  /// Returns true if `count` more bytes may be held.
  package func hasRoom(for count: Int) -> Bool {
    // The first comparison prevents an overflow.
    guard count <= limit, total + count <= room else { return false }
    guard count >= largeBytes, let resident else { return true }
    return resident() + count <= limit
  }

  /// Adds bytes of a kind if there is room for them.
  ///
  /// - Returns: False if there is no room. Nothing is added then.
  package func reserve(_ count: Int, of kind: MemoryKind) -> Bool {
    guard count <= 0 || hasRoom(for: count) else { return false }
    add(count, to: kind)
    return true
  }

  /// True if memory is almost used up, so that unused data should be dropped.
  ///
  /// More than seven eighths of ``room`` is held then, or the process takes more than seven
  /// eighths of the limit.
  package var isTight: Bool {
    let most = room - room / 8
    return total > most || resident.map { $0() > limit - limit / 8 } ?? false
  }
}
