import Synchronization
import TreeDomain

/// Writes a snapshot of a tree in parts, while the tree changes.
///
/// Each part is a work of the commit queue. The next part is added when the last one is on disk and
/// storage is idle, so that clients hardly notice. After the last part, the snapshot replaces the
/// former one, and the entries that it contains.
final class SnapshotWriter: Sendable {
  private struct State {
    var image: ManagerImage
    var snapshot: StoredSnapshot
    /// The bytes of the image that are encoded and not written.
    var rest: ArraySlice<UInt8> = []
    /// The number of bytes in the parts so far.
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

  /// The approximate size of a part in bytes.
  ///
  /// Commits of clients wait for one part at most.
  static let partBytes = 1 << 16

  private let state: Mutex<State>
  private let archive: Archive
  private let tree: LockedTree
  /// Counts the snapshot until it ends.
  private let exports: LiveExports
  /// The number of failed commits when the snapshot began.
  ///
  /// A later failure may lose changes in it.
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

  /// Writes the next part as soon as storage is idle.
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
    // The tree is not ahead of storage because of this work.
    archive.queue.add(
      CommitWork(
        snapshotted: tree,
        changes: [change],
        receipt: receipt,
        bytes: Self.partBytes,
        epoch: epoch
      )
    )
    receipt.whenResolved { [self] in
      guard receipt.outcome == .kept, !isLast else {
        let bytes = state.withLock { $0.bytes }
        let written = receipt.outcome == .kept ? bytes : nil
        return tree.endSnapshot(countedBy: exports, bytes: written)
      }
      start()
    }
  }
}
