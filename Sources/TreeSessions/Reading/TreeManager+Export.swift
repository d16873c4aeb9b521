import Synchronization
import TreeDomain
import TreeEngine

extension TreeManager {
  /// Begins to read the whole tree, as it is now.
  ///
  /// - Parameters:
  ///   - all: Counts the exports of all trees.
  ///   - assign: Has the memory let go of in the end, which can take long.
  /// - Returns: What is asked for lines.
  /// - Throws: `tree-not-found`; `overloaded` where there are as many as there may be.
  func export(
    countedBy all: LiveExports,
    disposingBy assign: @escaping SessionStore.Assignment
  ) throws(ServiceError) -> SnapshotExport {
    guard !hasEnded else { throw .treeNotFound }
    guard exports.begin(atMost: limits.maxExportsPerTree) else {
      throw .tooManyExports(limits.maxExportsPerTree)
    }
    guard all.begin(atMost: limits.maxExports) else {
      exports.end()
      throw .tooManyExports(limits.maxExports)
    }
    let lines = ExportLines(walk: tree.snapshot().makeWalk(), isSectioned: sections.isShown)
    return SnapshotExport(of: lines, at: treeRevision, countedBy: [exports, all], assign)
  }
}

extension ServiceError {
  fileprivate static func tooManyExports(_ limit: Int) -> ServiceError {
    overloaded(limit: limit, "As many exports are being read as may be; try again later.")
  }
}

/// Counts exports that are being read, and snapshots that are being written: of one tree, or all.
///
/// They share memory with the tree, so that a change copies what it touches, and each holds the
/// tree as it was.
final class LiveExports: Sendable {
  private let count = Atomic<Int>(0)

  /// Whether there are any; one that just ended may still count.
  var isAny: Bool { count.load(ordering: .relaxed) > 0 }

  func begin() { count.add(1, ordering: .relaxed) }

  /// Counts one more, unless there are so many.
  func begin(atMost limit: Int) -> Bool {
    // Nothing is ordered by it: the number is all there is to say.
    guard count.add(1, ordering: .relaxed).newValue > limit else { return true }
    end()
    return false
  }

  func end() { count.subtract(1, ordering: .relaxed) }
}
