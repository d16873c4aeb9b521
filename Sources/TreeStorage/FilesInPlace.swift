internal import TreeDomain

/// The identity of a file, whatever its name: the device, and its number there (statx(2)).
struct FileIdentity: Equatable {
  let device: UInt64
  let number: UInt64
}

/// Files that must not be moved or replaced while they are open.
///
/// An open file can still be written after it was removed, renamed or replaced. The next start
/// would not find what was written then (sqlite.org/howtocorrupt.html, 2.4). So the names are
/// checked before each write. That takes about a microsecond for each name.
struct FilesInPlace: Sendable {
  private let files: [File]

  private struct File {
    let name: String
    /// The joined path.
    ///
    /// It is kept, because joining takes longer than the check.
    let path: String
    let identity: FileIdentity
  }

  /// Records the identities of files in a folder.
  ///
  /// Names without a file are skipped.
  init(_ names: [String], in folder: String) {
    files = names.compactMap { name in
      let path = "\(folder)/\(name)"
      return DataFolder.identity(ofFile: path).map { File(name: name, path: path, identity: $0) }
    }
  }

  /// Checks that each name still leads to the recorded file.
  ///
  /// - Throws: ``StorageError/failed(_:)`` with the first name that does not, and what to do.
  /// - Complexity: One system call for each file.
  func check() throws(StorageError) {
    for file in files where DataFolder.identity(ofFile: file.path) != file.identity {
      throw .failed(
        """
        \(file.name) was moved, removed or replaced while it is in use; until the same file is \
        there again, what there is can be read and exported, but not changed
        """
      )
    }
  }
}
