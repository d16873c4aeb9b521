import Synchronization
import TreeDomain

/// Writes a tree down whole, a part at a time, while the tree goes on.
///
/// Each part is a commit that takes its place among the others'. The next one is added when it is
/// on disk and storage has time for it, so that clients hardly notice. When the last one is on
/// disk, the snapshot takes the place of the one before, and of the entries that are in it.
final class SnapshotWriter: Sendable {
  private struct State {
    var image: ManagerImage
    var snapshot: StoredSnapshot
    /// The bytes of the image that are made and not written.
    var rest: ArraySlice<UInt8> = []
    /// The number of bytes of its parts.
    var bytes = 0

    /// Returns the next part, which is empty at the end.
    mutating func nextPart() -> [UInt8] {
      if rest.isEmpty { rest = image.next(atLeast: SnapshotWriter.partBytes)[...] }
      let isLittleMore = rest.count < 2 * SnapshotWriter.partBytes
      let part = isLittleMore ? rest : rest.prefix(SnapshotWriter.partBytes)
      rest = isLittleMore ? [] : rest.dropFirst(part.count)
      bytes += part.count
      return Array(part)
    }
  }

  /// About how many bytes a part has: the commits of clients wait for one at most.
  static let partBytes = 1 << 18

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

  /// Writes the next part as soon as storage has time for it.
  func start() {
    archive.storage.whenIdle { [self] in archive.assign { [self] in writePart() } }
  }

  private func writePart() {
    let (change, isLast) = state.withLock { state in
      let part = state.nextPart()
      guard !part.isEmpty else { return (StorageChange.finishSnapshot(state.snapshot), true) }
      defer { state.snapshot.parts += 1 }
      return (.addPart(part, index: state.snapshot.parts, of: state.snapshot), false)
    }
    let receipt = CommitReceipt()
    // The tree's memory is not ahead of storage by it.
    archive.queue.add(
      CommitWork(
        snapshotted: tree,
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
      start()
    }
  }
}
