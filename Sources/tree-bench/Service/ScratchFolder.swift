import Glibc
import TreeStorage

/// A temporary folder in the current one, so that it is on the disk to be measured.
///
/// It is removed with its content when the value is released.
struct ScratchFolder: ~Copyable {
  let path: String
  private var files: [String] = []

  init() {
    var number = 0
    while unsafe mkdir("tree-bench.\(getpid()).\(number)", 0o700) != 0 {
      precondition(errno == EEXIST, "there is no folder to be had here: \(errno)")
      number += 1
    }
    path = "tree-bench.\(getpid()).\(number)"
  }

  /// Writes a text to a file with a name.
  ///
  /// - Returns: The path of the file.
  @discardableResult
  mutating func write(_ text: String, as name: String) -> String {
    let place = "\(path)/\(name)"
    guard let file = unsafe fopen(place, "w") else {
      preconditionFailure("there is no file to be had here: \(errno)")
    }
    unsafe fputs(text, file)
    unsafe fclose(file)
    files.append(place)
    return place
  }

  deinit {
    for file in files { unsafe unlink(file) }
    let databases = [
      SQLiteStorage.fileName, RawDatabase.fileName, RawDatabase.otherFileName,
    ]
    for name in databases {
      for suffix in ["", "-wal", "-shm"] { unsafe unlink("\(path)/\(name)\(suffix)") }
    }
    unsafe rmdir(path)
  }
}
