import Glibc

/// A temporary folder in the current one, so that it is on the disk to be measured.
///
/// It is removed with its content when the value is released.
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

  /// Writes a text to a file with a name.
  ///
  /// - Returns: The path of the file.
  @discardableResult
  func write(_ text: String, as name: String) -> String {
    let place = "\(path)/\(name)"
    guard let file = unsafe fopen(place, "w") else {
      preconditionFailure("there is no file to be had here: \(errno)")
    }
    unsafe fputs(text, file)
    unsafe fclose(file)
    return place
  }

  deinit {
    // Storage makes files of its own.
    if let folder = unsafe opendir(path) {
      while let entry = unsafe readdir(folder) {
        let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
          unsafe name.withMemoryRebound(to: CChar.self, capacity: 256) { text in
            unsafe String(cString: text)
          }
        }
        unsafe unlink("\(path)/\(name)")
      }
      unsafe closedir(folder)
    }
    unsafe rmdir(path)
  }
}
