import Synchronization
import TreeDomain
import TreeEngine

/// Counts exports that are being read and snapshots that are being written, of one tree or of all.
///
/// They share memory with the tree, so changes copy what they touch, and each export keeps the
/// former state alive.
final class LiveExports: Sendable {
  private let count = Atomic<Int>(0)

  /// True if any exports or snapshots are counted.
  ///
  /// An export that just ended may still count.
  var isAny: Bool { count.load(ordering: .relaxed) > 0 }

  func begin() { count.add(1, ordering: .relaxed) }

  /// Counts an export, unless that exceeds a limit.
  ///
  /// Returns true if it was counted.
  func begin(atMost limit: Int) -> Bool {
    // Relaxed ordering suffices, because only the number matters.
    guard count.add(1, ordering: .relaxed).newValue > limit else { return true }
    end()
    return false
  }

  func end() { count.subtract(1, ordering: .relaxed) }

  /// Begins an export of the tree in its current state.
  ///
  /// - Parameters:
  ///   - content: The content of the tree that this counts.
  ///   - all: Counts the exports of all trees.
  ///   - assign: Frees the memory at the end, which can take long.
  /// - Returns: The export.
  /// - Throws: `tree-not-found`, or `overloaded` if too many exports are being read.
  func export(
    _ content: borrowing TreeContent,
    countedBy all: LiveExports,
    disposingBy assign: @escaping SessionStore.Assignment
  ) throws(ServiceError) -> SnapshotExport {
    guard !content.hasEnded else { throw .treeNotFound }
    guard begin(atMost: content.limits.maxExportsPerTree) else {
      throw .tooManyExports(content.limits.maxExportsPerTree)
    }
    guard all.begin(atMost: content.limits.maxExports) else {
      end()
      throw .tooManyExports(content.limits.maxExports)
    }
    let lines = ExportLines(
      walk: content.tree.snapshot().makeWalk(),
      isSectioned: content.sections.isShown
    )
    return SnapshotExport(of: lines, at: content.treeRevision, countedBy: [self, all], assign)
  }
}
