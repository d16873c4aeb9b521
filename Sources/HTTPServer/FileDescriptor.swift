/// An open file descriptor.
///
/// It has one owner and is closed when that owner lets go of it.
struct FileDescriptor: ~Copyable, Sendable {
  let number: Int32

  /// Takes over an open descriptor.
  init(owning number: Int32) { self.number = number }

  deinit { Syscalls.close(number) }
}
