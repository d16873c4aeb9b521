import Synchronization
import TreeDomain
import TreeEngine

extension TreeManager {
  /// Begins to read the whole tree, as it is now.
  ///
  /// - Parameter assign: Has the memory let go of in the end, which can take long.
  /// - Returns: What is asked for lines.
  /// - Throws: `tree-not-found`.
  func export(
    disposingBy assign: @escaping SessionStore.Assignment
  ) throws(ServiceError) -> SnapshotExport {
    guard !hasEnded else { throw .treeNotFound }
    let lines = ExportLines(walk: tree.snapshot().makeWalk(), isSectioned: sections.isShown)
    return SnapshotExport(of: lines, at: treeRevision, countedBy: exports, disposingBy: assign)
  }
}

/// Counts the exports of a tree that are being read.
///
/// They share memory with the tree, so that the first change copies what it touches.
final class LiveExports: Sendable {
  private let count = Atomic<Int>(0)

  /// Whether there are any; one that just ended may still count.
  var isAny: Bool { count.load(ordering: .relaxed) > 0 }

  func begin() { count.add(1, ordering: .relaxed) }

  func end() { count.subtract(1, ordering: .relaxed) }
}
