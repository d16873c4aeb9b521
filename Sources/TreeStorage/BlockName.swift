internal import CLinux
internal import Glibc
internal import TreeDomain

/// An empty file whose name has the highest block of revisions that was used in a folder.
///
/// A copy of the folder that overwrites the marker brings back an earlier block, but leaves this
/// name. So each restore of the same copy begins above the one before.
enum BlockName {
  private static let suffix = "-block-"

  /// Returns the highest block in the names beside a marker; 0 if there is none.
  static func highest(beside marker: String) -> UInt64 {
    let folder = folder(of: marker)
    let prefix = String(marker.dropFirst(folder.count)) + suffix
    return UInt64(max(0, unsafe clinux_highest_number(folder, prefix)))
  }

  /// Adds the name of a block, waits until it is on disk, and removes the one before.
  ///
  /// - Throws: ``StorageError/failed(_:)``.
  static func add(_ block: UInt64, to marker: String) throws(StorageError) {
    let former = highest(beside: marker)
    guard block > former else { return }
    let name = "\(marker)\(suffix)\(block)"
    try DataFolder.makeFile(name)
    let folder = unsafe open(folder(of: marker), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    defer { close(folder) }
    guard folder >= 0, fsync(folder) == 0 else {
      // The next attempt must sync it.
      let failure = DataFolder.failure("sync the folder of \(name)")
      unsafe unlink(name)
      throw failure
    }
    if former > 0 { unsafe unlink("\(marker)\(suffix)\(former)") }
  }

  /// Returns the part of a path up to its last slash.
  private static func folder(of path: String) -> String {
    String(path[...(path.lastIndex(of: "/") ?? path.startIndex)])
  }
}
