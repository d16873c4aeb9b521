import Synchronization

/// The bytes of memory that the service holds, by kind, and the limit that bounds their sum.
///
/// Whoever holds memory adds it. Nothing is ordered by the numbers, so that relaxed order is
/// enough, and the limit may be exceeded by what several threads add at the same moment.
public final class MemoryAccount: Sendable {
  private final class Sum: Sendable {
    let bytes = Atomic(0)
  }

  /// The most bytes that may be held.
  public let limit: Int
  /// The bytes of the limit that are kept for requests and answers, which are bounded elsewhere.
  public let reserved: Int
  private let sums = MemoryKind.allCases.map { _ in Sum() }
  private let sum = Atomic(0)
  private let resident: (@Sendable () -> Int)?

  /// Allocations of so many bytes are compared with the memory of the process, too.
  private static let largeBytes = 1 << 20

  /// Creates an account of nothing.
  ///
  /// - Parameters:
  ///   - limit: The most bytes that may be held.
  ///   - reserved: The bytes of them that are bounded elsewhere; at most a quarter is.
  ///   - resident: Returns the bytes of memory that the process has; `nil` if nobody can tell.
  public init(limit: Int, reserved: Int = 0, resident: (@Sendable () -> Int)? = nil) {
    self.limit = limit
    self.reserved = min(reserved, limit / 4)
    self.resident = resident
  }

  /// The bytes held now, by kind.
  public var bytes: MemoryBytes {
    var bytes = MemoryBytes()
    for kind in MemoryKind.allCases {
      bytes[kind] = sums[kind.place].bytes.load(ordering: .relaxed)
    }
    return bytes
  }

  /// The bytes held now, of all kinds.
  public var total: Int { sum.load(ordering: .relaxed) }

  /// The most bytes that may be held beside the reserved ones.
  public var room: Int { limit - reserved }

  /// Adds bytes of a kind; fewer are held where the number is negative.
  public func add(_ count: Int, to kind: MemoryKind) {
    guard count != 0 else { return }
    sums[kind.place].bytes.add(count, ordering: .relaxed)
    sum.add(count, ordering: .relaxed)
  }

  /// Returns true if so many bytes more may be held.
  public func hasRoom(for count: Int) -> Bool {
    // The first comparison is against an overflow.
    guard count <= limit, total + count <= room else { return false }
    guard count >= Self.largeBytes, let resident else { return true }
    return resident() + count <= limit
  }

  /// Adds bytes of a kind if there is room for them.
  ///
  /// - Returns: False if there is none; nothing is added then.
  public func take(_ count: Int, of kind: MemoryKind) -> Bool {
    guard count <= 0 || hasRoom(for: count) else { return false }
    add(count, to: kind)
    return true
  }

  /// True if so much is held that what nobody uses is to be dropped.
  public var isTight: Bool {
    let most = room - room / 8
    return total > most || resident.map { $0() > limit - limit / 8 } ?? false
  }
}
