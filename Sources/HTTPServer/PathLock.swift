/// An exclusive lock for a path, between processes.
///
/// It is a lock (flock(2)) on the file `<path>.lock`. The system releases it when the process ends
/// for any reason. The file is removed when the lock is released normally.
struct PathLock: ~Copyable {
  private let file: String
  private let descriptor: FileDescriptor

  /// The number of attempts, and the milliseconds between them, if another process has the lock.
  private static let tries = 50
  private static let waitMilliseconds = 40

  /// Acquires the lock.
  ///
  /// - Throws: EWOULDBLOCK if another process keeps the lock, or the error of a system call.
  init(_ path: String) throws(SystemError) {
    file = path + ".lock"
    for _ in 0..<Self.tries {
      let opened = try Syscalls.openLock(file)
      if try !Syscalls.lock(opened.number) {
        Syscalls.sleep(milliseconds: Self.waitMilliseconds)
      } else if Syscalls.identity(ofFile: file) == Syscalls.identity(of: opened.number) {
        descriptor = opened
        return
      }
      // The previous owner has removed the file, and another process may have created a new one.
    }
    throw SystemError(call: "flock", code: Syscalls.wouldBlock)
  }

  deinit { Syscalls.removeFile(file) }
}
