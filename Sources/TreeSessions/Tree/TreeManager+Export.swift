import TreeDomain
import TreeEngine

extension TreeManager {
  /// Begins to read the whole tree, as it is now.
  func export() throws(ServiceError) -> SnapshotExport {
    guard !hasEnded else { throw .treeNotFound }
    return SnapshotExport(
      of: tree.snapshot(),
      at: treeRevision,
      isSectioned: sections.isShown
    )
  }
}
