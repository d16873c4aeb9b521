import Glibc
import HTTP

// What a server listens on.
extension Server {
  /// Where its port is; nil where it has none.
  static func address(_ options: ServerOptions) throws(ServerError) -> SocketAddress? {
    if options.host.isEmpty, options.localSocket != nil { return nil }
    guard let address = SocketAddress(host: options.host, port: options.port) else {
      throw .invalidHost(options.host)
    }
    return address
  }

  /// Opens what each loop needs, a listening socket first.
  ///
  /// - Parameters:
  ///   - options: How to listen.
  ///   - limits: What one connection may ask.
  ///   - address: Where to listen; nil where there is to be no port.
  ///   - count: How many loops there are.
  /// - Returns: What they need, and the port.
  /// - Throws: ``ServerError``.
  static func open(
    _ options: ServerOptions,
    _ limits: Limits,
    _ address: SocketAddress?,
    count: Int
  ) throws(ServerError) -> ([LoopResources], UInt16) {
    do throws(SystemError) {
      guard let address else {
        var resources: [LoopResources] = []
        while resources.count < count { resources.append(try LoopResources()) }
        return (resources, 0)
      }
      return try listen(options, limits, address, count: count)
    } catch {
      throw error.code == EADDRINUSE ? .portInUse(options.port) : .system(error)
    }
  }

  private static func listen(
    _ options: ServerOptions,
    _ limits: Limits,
    _ address: SocketAddress,
    count: Int
  ) throws(SystemError) -> ([LoopResources], UInt16) {
    func listen(
      on address: SocketAddress,
      isShared: Bool
    ) throws(SystemError) -> FileDescriptor {
      try Syscalls.listen(
        on: address,
        acceptBacklog: options.acceptBacklog,
        isShared: isShared,
        silenceMilliseconds: limits.silenceMilliseconds
      )
    }
    if options.port != 0 {
      // Sockets that share a port also share it with another server of the same user, which would
      // then get a part of the connections. One that does not share finds out.
      _ = try listen(on: address, isShared: false)
    }
    let first = try listen(on: address, isShared: true)
    let port = try Syscalls.port(of: first.number)
    guard let shared = SocketAddress(host: options.host, port: port) else {
      preconditionFailure("the host was parsed before")
    }
    var resources = [try LoopResources(listener: first)]
    while resources.count < count {
      let next = try listen(on: shared, isShared: true)
      resources.append(try LoopResources(listener: next))
    }
    return (resources, port)
  }

  /// Opens a Unix socket for all loops; nil where there is to be none.
  ///
  /// To be called last, as its file is there then.
  static func open(
    _ socket: LocalSocket?,
    _ options: ServerOptions,
    for resources: [LoopResources]
  ) throws(ServerError) -> SocketFile? {
    guard let socket else { return nil }
    do throws(SystemError) {
      let listener = try Syscalls.listen(on: socket, acceptBacklog: options.acceptBacklog)
      let file = SocketFile(of: socket)
      for resources in resources {
        resources.add(local: try Syscalls.duplicate(listener.number))
      }
      return file
    } catch {
      switch error.code {
      case EADDRINUSE: throw .socketInUse(socket.path)
      case EWOULDBLOCK: throw .socketLocked(socket.path)
      case ENOTSOCK: throw .notASocket(socket.path)
      default: throw .socket(path: socket.path, error)
      }
    }
  }
}

extension Limits {
  /// For how long a peer may not answer for what the system has sent it, or holds for it: as long
  /// as it may take that at its slowest; 0, which leaves it to the system, where any rate will do.
  var silenceMilliseconds: Int {
    guard minAnswerBytesPerSecond > 0 else { return 0 }
    let bytes = Int(Syscalls.maxUnsentBytes)
    return writeStallMilliseconds + bytes * 1_000 / minAnswerBytesPerSecond
  }
}
