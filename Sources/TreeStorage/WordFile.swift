internal import Glibc
internal import TreeDomain

/// A file that is read in words of four bytes.
final class WordFile {
  private let descriptor: Int32
  private let path: String

  /// Opens a file.
  ///
  /// - Throws: ``StorageError/failed(_:)`` where that cannot be done.
  init(_ path: String) throws(StorageError) {
    self.path = path
    descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw DataFolder.failure("open \(path)") }
  }

  deinit { close(descriptor) }

  /// Waits until all that was ever written to it is on disk.
  ///
  /// - Throws: ``StorageError/failed(_:)`` where that cannot be done.
  func sync() throws(StorageError) {
    guard fsync(descriptor) == 0 else { throw DataFolder.failure("sync \(path)") }
  }

  /// Fills words with what stands from a byte on; false where there is not so much.
  ///
  /// - Throws: ``StorageError/failed(_:)`` where it cannot be read.
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
