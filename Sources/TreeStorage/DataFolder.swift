internal import CLinux
internal import Glibc
internal import TreeDomain

/// A folder that one process at a time keeps its data in.
///
/// Whoever has it holds a lock (flock(2)) on the folder itself, which the system lets go of with
/// the process, however that ends. A file in it could be removed, and the next one would lock
/// another.
final class DataFolder: Sendable {
  private let descriptor: Int32

  /// Takes the folder, and makes it where it does not exist, for this user alone.
  ///
  /// - Throws: ``StorageError/failed(_:)`` where that cannot be done, or another process has it.
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

  /// How many bytes its file system has left for this user; nil where it does not say.
  var freeBytes: Int? {
    var status = statvfs()
    guard unsafe fstatvfs(descriptor, &status) == 0 else { return nil }
    let (bytes, overflows) = Int(status.f_bavail).multipliedReportingOverflow(
      by: Int(status.f_frsize)
    )
    return overflows ? .max : bytes
  }

  /// Takes the lock; one who has just been killed may still hold it for a moment.
  private static func lock(_ descriptor: Int32) -> Bool {
    for _ in 0..<50 {
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
      guard errno == EWOULDBLOCK else { return false }
      usleep(40_000)
    }
    return flock(descriptor, LOCK_EX | LOCK_NB) == 0
  }

  /// Makes an empty file for this user alone, unless there is one.
  ///
  /// - Throws: ``StorageError/failed(_:)`` where that cannot be done.
  static func makeFile(_ path: String) throws(StorageError) {
    let file = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw failure("open \(path)") }
    close(file)
  }

  /// Refuses what is there under the name of a file and is none: to open a pipe may wait for ever.
  ///
  /// - Throws: ``StorageError/failed(_:)``.
  static func checkIsFile(_ path: String) throws(StorageError) {
    var status = stat()
    guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG else { return }
    throw .failed("\(path) is no ordinary file")
  }

  /// Refuses a symbolic link in the place of a file.
  ///
  /// SQLite puts the log beside what a link leads to. There it would be in a folder that nobody has
  /// locked, and whose log nobody looks at.
  ///
  /// - Throws: ``StorageError/failed(_:)``.
  static func checkIsNoLink(_ path: String) throws(StorageError) {
    var status = stat()
    guard unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK else { return }
    throw .failed("\(path) is a symbolic link; give --data the folder that the file itself is in")
  }

  /// Whether there is anything at a path.
  ///
  /// - Throws: ``StorageError/failed(_:)`` where that cannot be seen.
  static func isThere(_ path: String) throws(StorageError) -> Bool {
    var status = stat()
    if unsafe stat(path, &status) == 0 { return true }
    guard errno == ENOENT else { throw failure("look at \(path)") }
    return false
  }

  /// Whether a path is that of a symbolic link that leads nowhere.
  static func isDangling(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) != 0 && lstat(path, &status) == 0
  }

  /// How many bytes a file has; nil where there is none.
  static func size(ofFile path: String) -> Int? {
    var status = stat()
    return unsafe stat(path, &status) == 0 ? Int(status.st_size) : nil
  }

  /// Which file a path leads to; nil where it leads nowhere.
  static func identity(ofFile path: String) -> FileIdentity? {
    var (device, number) = (UInt64(0), UInt64(0))
    guard unsafe clinux_file_identity(path, &device, &number) == 0 else { return nil }
    return FileIdentity(device: device, number: number)
  }

  /// Returns what tells a file from its copies; nil where there is no file.
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
  /// - Throws: ``StorageError/failed(_:)`` where that cannot be done.
  func sync() throws(StorageError) {
    guard fsync(descriptor) == 0 else { throw Self.failure("sync the data folder") }
  }

  /// Makes a folder with those above it, so that their names outlive the machine's losing power.
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

  /// Why the last system call failed.
  static func failure(_ what: String) -> StorageError {
    let reason = unsafe String(cString: clinux_error_text(errno))
    return .failed("cannot \(what): \(reason)")
  }
}
