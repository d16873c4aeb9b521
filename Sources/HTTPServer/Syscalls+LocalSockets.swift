import Glibc

extension Syscalls {
  /// Which file it is that lies at a path.
  struct FileIdentity: Equatable, Sendable {
    let device: UInt
    let node: UInt
  }

  /// Opens a listening Unix socket, not blocking and not inherited.
  ///
  /// What a process that is dead has left at its path is removed first; of several that start there
  /// at one instant, one gets it.
  ///
  /// - Parameters:
  ///   - socket: Where to listen, and who may connect.
  ///   - acceptBacklog: How many connections may wait to be accepted.
  /// - Returns: The socket, whose file is there from now on.
  /// - Throws: EADDRINUSE where somebody listens there, ENOTSOCK where something else lies there,
  ///   or what the system refuses.
  static func listen(
    on socket: LocalSocket,
    acceptBacklog: Int
  ) throws(SystemError) -> FileDescriptor {
    let lock = try PathLock(socket.path)
    let listener = try listen(alone: socket, acceptBacklog)
    _ = consume lock
    return listener
  }

  private static func listen(
    alone socket: LocalSocket,
    _ acceptBacklog: Int
  ) throws(SystemError) -> FileDescriptor {
    let address = SocketAddress(socket)
    try removeLeftBehind(socket.path, address)
    let descriptor = try openLocal()
    let number = descriptor.number
    _ = try checked("bind") {
      unsafe address.withSocketAddress { unsafe Glibc.bind(number, $0, $1) }
    }
    // Nobody can connect before it listens, whatever the file allows until then.
    _ = try checked("chmod") { unsafe chmod(socket.path, socket.mode) }
    _ = try checked("listen") { Glibc.listen(number, Int32(clamping: acceptBacklog)) }
    return descriptor
  }

  /// Removes the file of a socket on which nobody listens any more, if there is one.
  private static func removeLeftBehind(
    _ path: String,
    _ address: SocketAddress
  ) throws(SystemError) {
    var status = stat()
    guard unsafe lstat(path, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFSOCK else {
      throw SystemError(call: "bind", code: ENOTSOCK)
    }
    let probe = try openLocal()
    let (result, code) = retrying {
      unsafe address.withSocketAddress { unsafe connect(probe.number, $0, $1) }
    }
    // One whose backlog is full answers that it would block.
    if result == 0 || code == EAGAIN { throw SystemError(call: "bind", code: EADDRINUSE) }
    guard code == ECONNREFUSED else { throw SystemError(call: "connect", code: code) }
    _ = try checked("unlink") { unsafe unlink(path) }
  }

  private static func openLocal() throws(SystemError) -> FileDescriptor {
    let flags = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    return FileDescriptor(owning: try checked("socket") { socket(AF_UNIX, flags, 0) })
  }

  /// Another descriptor of the same listening socket, so that another loop can accept from it.
  static func duplicate(_ descriptor: Int32) throws(SystemError) -> FileDescriptor {
    FileDescriptor(owning: try checked("fcntl") { fcntl(descriptor, F_DUPFD_CLOEXEC, 0) })
  }

  /// Has the system take no more of what a peer on this machine does not read than it takes for
  /// others (see ``maxUnsentBytes``).
  ///
  /// That it takes more where this fails does not matter.
  static func limitUnsent(of descriptor: Int32) {
    // The system doubles it, for what it needs beside the bytes (socket(7)).
    var bytes = maxUnsentBytes
    let size = socklen_t(MemoryLayout<Int32>.size)
    _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_SNDBUF, &bytes, size)
  }

  /// Opens the file of a lock, for its user alone; makes it where there is none.
  static func openLock(_ path: String) throws(SystemError) -> FileDescriptor {
    let flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
    return FileDescriptor(owning: try checked("open") { unsafe open(path, flags, 0o600) })
  }

  /// Takes the lock of an open file; false if somebody has it.
  static func lock(_ descriptor: Int32) throws(SystemError) -> Bool {
    let (result, code) = retrying { flock(descriptor, LOCK_EX | LOCK_NB) }
    guard result < 0 else { return true }
    guard code == wouldBlock else { throw SystemError(call: "flock", code: code) }
    return false
  }

  /// What the system says where it would have to wait.
  static let wouldBlock = EWOULDBLOCK

  /// Which file a descriptor is of.
  static func identity(of descriptor: Int32) -> FileIdentity? {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { return nil }
    return FileIdentity(device: UInt(status.st_dev), node: UInt(status.st_ino))
  }

  /// Which file lies at a path; nil if none does.
  static func identity(ofFile path: String) -> FileIdentity? {
    var status = stat()
    guard unsafe lstat(path, &status) == 0 else { return nil }
    return FileIdentity(device: UInt(status.st_dev), node: UInt(status.st_ino))
  }

  /// Removes a file.
  ///
  /// That it is gone already does not matter.
  static func removeFile(_ path: String) { _ = unsafe unlink(path) }
}
