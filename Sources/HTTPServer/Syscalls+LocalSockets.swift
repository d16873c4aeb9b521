import Glibc

extension Syscalls {
  /// The identity of a file, independent of its path.
  struct FileIdentity: Equatable, Sendable {
    let device: UInt
    let node: UInt
  }

  /// Opens a listening Unix socket, non-blocking and close-on-exec.
  ///
  /// A socket file left behind by a dead process is removed first. If several processes start at
  /// the same path at the same time, one gets it.
  ///
  /// - Parameters:
  ///   - socket: The path and permissions.
  ///   - acceptBacklog: The maximum number of pending connections.
  /// - Returns: The socket, whose file exists.
  /// - Throws: EADDRINUSE if another process listens there. EWOULDBLOCK if another one keeps the
  ///   lock of the path. ENOTSOCK if the file is no socket. Otherwise, the error of a system call.
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
    // Before listening, nobody can connect, so the initial permissions do no harm.
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
      unsafe address.withSocketAddress { unsafe Glibc.connect(probe.number, $0, $1) }
    }
    // If its backlog is full, a connection attempt fails with EAGAIN.
    if result == 0 || code == EAGAIN { throw SystemError(call: "bind", code: EADDRINUSE) }
    guard code == ECONNREFUSED else { throw SystemError(call: "connect", code: code) }
    _ = try checked("unlink") { unsafe unlink(path) }
  }

  private static func openLocal() throws(SystemError) -> FileDescriptor {
    let flags = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    return FileDescriptor(owning: try checked("socket") { socket(AF_UNIX, flags, 0) })
  }

  /// Returns another descriptor of a listening socket, from which another loop can accept.
  static func duplicate(_ descriptor: Int32) throws(SystemError) -> FileDescriptor {
    FileDescriptor(owning: try checked("fcntl") { fcntl(descriptor, F_DUPFD_CLOEXEC, 0) })
  }

  /// Limits the unsent bytes that the system buffers for a peer on this machine.
  ///
  /// See ``maxUnsentBytes``. Failure is ignored, because it only makes the buffer larger.
  static func limitUnsent(of descriptor: Int32) {
    // The kernel doubles the value for its own overhead (socket(7)).
    var bytes = maxUnsentBytes
    let size = socklen_t(MemoryLayout<Int32>.size)
    _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_SNDBUF, &bytes, size)
  }

  /// Opens a lock file.
  ///
  /// If it does not exist, it is created with access only for its owner.
  static func openLock(_ path: String) throws(SystemError) -> FileDescriptor {
    let flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
    return FileDescriptor(owning: try checked("open") { unsafe open(path, flags, 0o600) })
  }

  /// Locks an open file; returns false if another process has locked it.
  static func lock(_ descriptor: Int32) throws(SystemError) -> Bool {
    let (result, code) = retrying { flock(descriptor, LOCK_EX | LOCK_NB) }
    guard result < 0 else { return true }
    guard code == wouldBlock else { throw SystemError(call: "flock", code: code) }
    return false
  }

  /// The error of a call that would have to block.
  static let wouldBlock = EWOULDBLOCK

  /// Returns the identity of an open file.
  static func identity(of descriptor: Int32) -> FileIdentity? {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { return nil }
    return FileIdentity(device: UInt(status.st_dev), node: UInt(status.st_ino))
  }

  /// Returns the identity of the file at a path; nil if there is none.
  static func identity(ofFile path: String) -> FileIdentity? {
    var status = stat()
    guard unsafe lstat(path, &status) == 0 else { return nil }
    return FileIdentity(device: UInt(status.st_dev), node: UInt(status.st_ino))
  }

  /// Removes a file.
  ///
  /// Failure is ignored.
  static func removeFile(_ path: String) { _ = unsafe unlink(path) }
}
