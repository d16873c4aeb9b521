import Synchronization
import TreeDomain
import TreeEngine

/// Counts exports that are being read and snapshots that are being written, of one tree or of all.
///
/// They share memory with the tree, so changes copy what they touch, and each export keeps the
/// former state alive.
final class LiveExports: Sendable {
  private let count = Atomic<Int>(0)
  /// The exports of each caller, if there are several callers.
  private let ofCallers = Mutex<[String: Int]>([:])
  /// The divisor for the exports of one caller, if there are several callers: a half.
  private static let callerShare = 2

  /// True if any exports or snapshots are counted.
  ///
  /// An export that just ended may still count.
  var isAny: Bool { count.load(ordering: .relaxed) > 0 }

  func begin() { count.add(1, ordering: .relaxed) }

  /// Counts an export.
  ///
  /// - Parameters:
  ///   - limit: The maximum number of exports and snapshots.
  ///   - payer: The name of the caller whose share the export uses; nil if there are no shares.
  /// - Throws: `overloaded` if the export would exceed the limit, or the share of the caller.
  func begin(atMost limit: Int, for payer: String?) throws(ServiceError) {
    if let payer {
      let share = max(1, limit / Self.callerShare)
      let hasRoom = ofCallers.withLock { counts in
        guard counts[payer, default: 0] < share else { return false }
        counts[payer, default: 0] += 1
        return true
      }
      guard hasRoom else { throw .tooManyExportsOfCaller(share) }
    }
    // Relaxed ordering suffices, because only the number matters.
    guard count.add(1, ordering: .relaxed).newValue > limit else { return }
    end(for: payer)
    throw .tooManyExports(limit)
  }

  /// Ends the counting of a snapshot, or of an export that uses the share of a caller.
  func end(for payer: String? = nil) {
    count.subtract(1, ordering: .relaxed)
    guard let payer else { return }
    ofCallers.withLock { counts in
      let rest = counts[payer, default: 0] - 1
      counts[payer] = rest > 0 ? rest : nil
    }
  }

  /// Begins an export of the tree in its current state.
  ///
  /// - Parameters:
  ///   - content: The content of the tree that this counts.
  ///   - payer: The name of the caller whose share the export uses; nil if there are no shares.
  ///   - all: Counts the exports of all trees.
  ///   - assign: Frees the memory at the end, which can take long.
  /// - Returns: The export.
  /// - Throws: `tree-not-found`, or `overloaded` if too many exports are being read.
  func export(
    _ content: borrowing TreeContent,
    for payer: String?,
    countedBy all: LiveExports,
    disposingBy assign: @escaping SessionStore.Assignment
  ) throws(ServiceError) -> SnapshotExport {
    guard !content.hasEnded else { throw .treeNotFound }
    try begin(atMost: content.limits.maxExportsPerTree, for: payer)
    do throws(ServiceError) {
      try all.begin(atMost: content.limits.maxExports, for: payer)
    } catch {
      end(for: payer)
      throw error
    }
    let lines = ExportLines(
      walk: content.tree.snapshot().makeWalk(),
      isSectioned: content.sections.isShown
    )
    let uncount: @Sendable () -> Void = { [self] in
      end(for: payer)
      all.end(for: payer)
    }
    return SnapshotExport(of: lines, at: content.treeRevision, uncountedBy: uncount, assign)
  }
}
