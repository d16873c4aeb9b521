internal import TreeDomain

/// Which file it is, whatever its name: its device, and its number there (statx(2)).
struct FileIdentity: Equatable {
  let device: UInt64
  let number: UInt64
}

/// Files that are to stay where they were opened.
///
/// Whoever has a file open goes on writing to it after it was removed, renamed or replaced, and
/// what is written then is nowhere to be found by the next start
/// (sqlite.org/howtocorrupt.html, 2.4). So before anything is written, the names are looked at: a
/// microsecond for each, as long as nobody asks for the files' times.
struct FilesInPlace: Sendable {
  private let files: [File]

  private struct File {
    let name: String
    /// Put together once, as that takes longer than to look.
    let path: String
    let identity: FileIdentity
  }

  /// Remembers which files names in a folder stand for; those that stand for none are passed over.
  init(_ names: [String], in folder: String) {
    files = names.compactMap { name in
      let path = "\(folder)/\(name)"
      return DataFolder.identity(ofFile: path).map { File(name: name, path: path, identity: $0) }
    }
  }

  /// Makes sure that they are where they were.
  ///
  /// - Throws: ``StorageError/failed(_:)`` with the one that is not, and what to do.
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
