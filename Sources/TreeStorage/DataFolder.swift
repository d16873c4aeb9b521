internal import CLinux
internal import Glibc
internal import TreeDomain

/// A data folder that is locked for one process.
///
/// The lock (flock(2)) is on the folder itself. The system releases it when the process ends, in
/// whatever way. A lock file would be no substitute: if somebody removed it, the next process would
/// lock a new one.
final class DataFolder: Sendable {
  private let descriptor: Int32

  /// Opens and locks a folder.
  ///
  /// Creates it, readable by this user only, if it does not exist.
  ///
  /// Waits up to 2 seconds for another process to release the lock.
  ///
  /// - Throws: ``StorageError/failed(_:)`` if the folder cannot be opened, or if another process
  ///   has locked it.
  init(_ path: String) throws(StorageError) {
    try Self.make(path)
    descriptor = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Self.failure("open \(path)") }
    guard Self.lock(descriptor) else {
      let isTaken = errno == EWOULDBLOCK
      let reason = Self.failure("lock \(path)")
      close(descriptor)
      guard isTaken else { throw reason }
      throw .failed(
        """
        the data folder \(path) is in use by another process; stop that one, or give --data \
        another folder
        """
      )
    }
  }

  deinit { close(descriptor) }

  /// The number of bytes that this user may still write to the file system; nil if unknown.
  var freeBytes: Int? {
    var status = statvfs()
    guard unsafe fstatvfs(descriptor, &status) == 0 else { return nil }
    let (bytes, overflows) = Int(status.f_bavail).multipliedReportingOverflow(
      by: Int(status.f_frsize)
    )
    return overflows ? .max : bytes
  }

  /// Takes the lock.
  ///
  /// Returns false if that fails, with the reason in `errno`.
  ///
  /// Retries for 2 seconds, because a process that was just killed may hold it a little longer.
  private static func lock(_ descriptor: Int32) -> Bool {
    for _ in 0..<50 {
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
      guard errno == EWOULDBLOCK else { return false }
      usleep(40_000)
    }
    return flock(descriptor, LOCK_EX | LOCK_NB) == 0
  }

  /// Creates an empty file, readable by this user only, unless it exists.
  ///
  /// - Throws: ``StorageError/failed(_:)``.
  static func makeFile(_ path: String) throws(StorageError) {
    let file = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw failure("open \(path)") }
    close(file)
  }

  /// Checks that nothing but an ordinary file is at a path.
  ///
  /// Opening a pipe could block for ever.
  ///
  /// - Throws: ``StorageError/failed(_:)`` if something else is there.
  static func checkIsFile(_ path: String) throws(StorageError) {
    var status = stat()
    guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG else { return }
    throw .failed("\(path) is no ordinary file")
  }

  /// Checks that a path is no symbolic link.
  ///
  /// SQLite puts the log beside the target of a link. That folder is not locked, and nobody checks
  /// the log there.
  ///
  /// - Throws: ``StorageError/failed(_:)`` if it is a link.
  static func checkIsNoLink(_ path: String) throws(StorageError) {
    var status = stat()
    guard unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK else { return }
    throw .failed("\(path) is a symbolic link; give --data the folder that the file itself is in")
  }

  /// Returns true if anything exists at a path.
  ///
  /// - Throws: ``StorageError/failed(_:)`` if that cannot be determined.
  static func isThere(_ path: String) throws(StorageError) -> Bool {
    var status = stat()
    if unsafe stat(path, &status) == 0 { return true }
    guard errno == ENOENT else { throw failure("look at \(path)") }
    return false
  }

  /// Returns true if a path is a symbolic link without a target.
  static func isDangling(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) != 0 && lstat(path, &status) == 0
  }

  /// Returns the size of a file in bytes; nil if there is none.
  static func size(ofFile path: String) -> Int? {
    var status = stat()
    return unsafe stat(path, &status) == 0 ? Int(status.st_size) : nil
  }

  /// Returns the identity of the file at a path; nil if there is none.
  static func identity(ofFile path: String) -> FileIdentity? {
    var (device, number) = (UInt64(0), UInt64(0))
    guard unsafe clinux_file_identity(path, &device, &number) == 0 else { return nil }
    return FileIdentity(device: device, number: number)
  }

  /// Returns the origin of the file at a path; nil if there is none.
  static func origin(ofFile path: String) -> FileOrigin? {
    var (number, seconds, nanoseconds) = (UInt64(0), Int64(0), UInt32(0))
    guard unsafe clinux_file_origin(path, &number, &seconds, &nanoseconds) == 0 else { return nil }
    return FileOrigin(
      number: Int(truncatingIfNeeded: number),
      seconds: Int(seconds),
      nanoseconds: Int(nanoseconds)
    )
  }

  /// Waits until the names in the folder are on disk.
  ///
  /// - Throws: ``StorageError/failed(_:)``.
  func sync() throws(StorageError) {
    guard fsync(descriptor) == 0 else { throw Self.failure("sync the data folder") }
  }

  /// Creates a folder and its parents, and syncs each parent so that the names survive a power
  /// loss.
  private static func make(_ path: String) throws(StorageError) {
    var status = stat()
    if unsafe stat(path, &status) == 0 {
      guard status.st_mode & S_IFMT == S_IFDIR else { throw .failed("\(path) is no folder") }
      return
    }
    let end = path.utf8.dropLast().lastIndex(of: UInt8(ascii: "/"))
    let above = end.map { String(path[..<$0]) } ?? "."
    if !above.isEmpty { try make(above) }
    guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST else { throw failure("make \(path)") }
    let folder = unsafe open(above.isEmpty ? "/" : above, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { return }
    fsync(folder)
    close(folder)
  }

  /// Returns an error with the reason why the last system call failed, read from `errno`.
  static func failure(_ what: String) -> StorageError {
    let reason = unsafe String(cString: clinux_error_text(errno))
    return .failed("cannot \(what): \(reason)")
  }
}
