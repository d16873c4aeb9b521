import Synchronization
import TreeDomain

/// Writes a tree down whole, a part at a time, while the tree goes on.
///
/// Each part is a commit that takes its place among the others'; the next one is made when it is
/// on disk, so that a part at most is in memory. When the last one is, the snapshot takes the place
/// of the one before, and of the entries that are in it.
final class SnapshotWriter: Sendable {
  private struct State {
    var image: ManagerImage
    var snapshot: StoredSnapshot
    /// How many bytes its parts have.
    var bytes = 0
  }

  /// About how many bytes a part has: the commits of clients wait for one at most.
  private static let partBytes = 1 << 18

  private let state: Mutex<State>
  private let archive: Archive
  private let tree: LockedTree
  /// Counts it until it ends.
  private let exports: LiveExports
  /// How many commits had failed when it was begun: what is in it may be lost by another one.
  private let epoch: Int

  init(
    _ image: ManagerImage,
    _ snapshot: StoredSnapshot,
    of tree: LockedTree,
    _ exports: LiveExports,
    _ archive: Archive,
    epoch: Int
  ) {
    self.epoch = epoch
    state = Mutex(State(image: image, snapshot: snapshot))
    self.tree = tree
    self.exports = exports
    self.archive = archive
  }

  /// Begins to write.
  func start() { archive.assign { [self] in writePart() } }

  private func writePart() {
    let (change, isLast) = state.withLock { state in
      let part = state.image.next(atLeast: Self.partBytes)
      guard !part.isEmpty else { return (StorageChange.finishSnapshot(state.snapshot), true) }
      state.bytes += part.count
      defer { state.snapshot.parts += 1 }
      return (.addPart(part, index: state.snapshot.parts, of: state.snapshot), false)
    }
    let receipt = CommitReceipt()
    // The tree's memory is not ahead of storage by it.
    archive.queue.add(
      CommitWork(
        changes: [change],
        receipt: receipt,
        bytes: Self.partBytes,
        epoch: epoch
      )
    )
    receipt.whenSettled { [self] in
      guard receipt.outcome == .kept, !isLast else {
        let bytes = state.withLock { $0.bytes }
        let written = receipt.outcome == .kept ? bytes : nil
        return tree.endSnapshot(countedBy: exports, bytes: written)
      }
      archive.assign { [self] in writePart() }
    }
  }
}
