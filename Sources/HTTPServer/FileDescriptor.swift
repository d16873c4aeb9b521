/// An open file descriptor, which is closed when its owner releases it.
struct FileDescriptor: ~Copyable, Sendable {
  let number: Int32

  /// Takes ownership of an open descriptor.
  init(owning number: Int32) { self.number = number }

  deinit { Syscalls.close(number) }
}
