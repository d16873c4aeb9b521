internal import TreeDomain

/// Which file it is, whatever its name: its device, and its number there (statx(2)).
struct FileIdentity: Equatable {
  let device: UInt64
  let number: UInt64
}

/// A file that is to stay where it was opened.
///
/// Whoever has a file open goes on writing to it after it was removed, renamed or replaced, and
/// what is written then is nowhere to be found by the next start
/// (sqlite.org/howtocorrupt.html, 2.4). So before anything is written, the name is looked at: that
/// takes a microsecond, as long as nobody asks for the file's times.
struct FileInPlace: Sendable {
  let name: String
  /// Put together once, as that takes longer than to look.
  private let path: String
  private let identity: FileIdentity

  /// Remembers which file a name in a folder stands for; nil where it stands for none.
  init?(_ name: String, in folder: String) {
    let path = "\(folder)/\(name)"
    guard let identity = DataFolder.identity(ofFile: path) else { return nil }
    (self.name, self.path, self.identity) = (name, path, identity)
  }

  /// Makes sure that it is where it was.
  ///
  /// - Returns: How many bytes it has.
  /// - Throws: ``StorageError/failed(_:)`` with its name, and what to do.
  @discardableResult
  func check() throws(StorageError) -> Int {
    guard let state = DataFolder.state(ofFile: path), state.identity == identity else {
      throw .failed(
        """
        \(name) was moved, removed or replaced while it is in use; until the same file is \
        there again, what there is can be read and exported, but not changed
        """
      )
    }
    return state.bytes
  }
}
