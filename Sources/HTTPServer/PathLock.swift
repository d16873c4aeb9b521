/// The right to see to what lies at a path, which one process at a time has.
///
/// It is a lock (flock(2)) on a file beside it, `<path>.lock`, which the system lets go of with the
/// process, however that ends; the file is removed with it.
struct PathLock: ~Copyable {
  private let file: String
  private let descriptor: FileDescriptor

  /// For how many times, and how long each, another one is waited for, who has it for a moment.
  private static let tries = 50
  private static let waitMilliseconds = 40

  /// Waits for the right.
  ///
  /// - Throws: EWOULDBLOCK where another one keeps it, or what the system refuses.
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
      // Else whoever had it has removed the file, and another one may have made it anew.
    }
    throw SystemError(call: "flock", code: Syscalls.wouldBlock)
  }

  deinit { Syscalls.removeFile(file) }
}
