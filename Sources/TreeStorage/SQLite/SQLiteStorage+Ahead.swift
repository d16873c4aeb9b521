internal import Synchronization
package import TreeDomain

// Writing long entries ahead of their commit.
extension SQLiteStorage {
  /// Writes a part of a long entry ahead of the commit that appends it; see ``TreeStorage``.
  ///
  /// If the disk has not enough room to write it twice, everything is left to the commit. A failed
  /// commit frees its room at once, but parts that were written ahead need some to be removed.
  package func writeAhead(
    _ entry: StoredEntry,
    of tree: TreeNumber,
    bytes: Int
  ) throws(StorageError) -> Bool {
    guard entry.body.count > bytes, hasRoom(for: entry.body.count) else { return false }
    do throws(StorageError) {
      return try write { connection throws(StorageError) in
        try connection.writeAhead(entry, of: tree, bytes: bytes)
      }
    } catch {
      abandonLongEntry()
      throw recover(from: error)
    }
  }

  /// Gives up the entry that is being written ahead.
  ///
  /// - Parameter tree: Its tree; nil to give up an entry of any tree.
  func abandonLongEntry(of tree: TreeNumber? = nil) {
    writer.withLock { connection in
      if let tree { connection.longEntries.abandon(tree) } else { connection.longEntries.abandon() }
    }
  }

  /// Removes the pieces of entries that were written ahead and never appended, in short commits.
  ///
  /// Pieces that cannot be removed now are removed later, by ``sweep(limit:)`` or before another
  /// entry is written in their place.
  func removeStalePieces() {
    var isAnyLeft = true
    while isAnyLeft {
      let hasRemoved = try? write { connection throws(StorageError) in
        try connection.removeStalePieces(bytes: Self.removedBytes)
      }
      isAnyLeft = hasRemoved == true
    }
  }

  /// The number of bytes of stale pieces that one commit removes while nobody waits.
  private static let removedBytes = 1 << 20
}
