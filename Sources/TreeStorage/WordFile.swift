internal import Glibc
internal import TreeDomain

/// A file that is read in words of four bytes, in the byte order of the file.
final class WordFile {
  private let descriptor: Int32
  private let path: String

  /// Opens a file for reading.
  ///
  /// - Throws: ``StorageError/failed(_:)``.
  init(_ path: String) throws(StorageError) {
    self.path = path
    descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw DataFolder.failure("open \(path)") }
  }

  deinit { close(descriptor) }

  /// Waits until everything that was written to the file is on disk.
  ///
  /// - Throws: ``StorageError/failed(_:)``.
  func sync() throws(StorageError) {
    guard fsync(descriptor) == 0 else { throw DataFolder.failure("sync \(path)") }
  }

  /// Fills `words` with the bytes from an offset on.
  ///
  /// Returns false if the file ends before that.
  ///
  /// - Throws: ``StorageError/failed(_:)`` if the file cannot be read.
  func read(_ words: inout [UInt32], at offset: Int) throws(StorageError) -> Bool {
    let wanted = words.count * MemoryLayout<UInt32>.size
    var done = 0
    while done < wanted {
      let count = unsafe words.withUnsafeMutableBytes { buffer in
        unsafe pread(
          descriptor,
          buffer.baseAddress?.advanced(by: done),
          wanted - done,
          offset + done
        )
      }
      if count == 0 { return false }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw DataFolder.failure("read \(path)") }
      done += count
    }
    return true
  }
}
