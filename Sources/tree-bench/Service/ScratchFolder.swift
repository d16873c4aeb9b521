import Glibc
import TreeStorage

/// A folder below the one the benchmark runs in, so on the disk that is meant, which is removed
/// with what storage left in it.
struct ScratchFolder: ~Copyable {
  let path: String

  init() {
    var number = 0
    while unsafe mkdir("tree-bench.\(getpid()).\(number)", 0o700) != 0 {
      precondition(errno == EEXIST, "there is no folder to be had here: \(errno)")
      number += 1
    }
    path = "tree-bench.\(getpid()).\(number)"
  }

  deinit {
    for name in [SQLiteStorage.fileName, RawDatabase.fileName] {
      for suffix in ["", "-wal", "-shm"] { unsafe unlink("\(path)/\(name)\(suffix)") }
    }
    unsafe unlink("\(path)/tree-server.lock")
    unsafe rmdir(path)
  }

  /// Opens the storage that is in it.
  func open() -> SQLiteStorage {
    do {
      return try SQLiteStorage(folder: path)
    } catch {
      preconditionFailure("a benchmark's storage does not open: \(error)")
    }
  }
}
