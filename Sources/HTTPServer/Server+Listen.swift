import Glibc
import HTTP

// The listening sockets of a server.
extension Server {
  /// Gives each event loop its listening sockets.
  ///
  /// The port starts listening last.
  ///
  /// - Parameters:
  ///   - options: The options for listening.
  ///   - limits: The limits of one connection.
  ///   - port: The bound port; nil for none.
  ///   - resources: The resources of the loops.
  /// - Returns: The file of the Unix socket, if there is one.
  /// - Throws: ``ServerError``.
  static func listen(
    _ options: ServerOptions,
    _ limits: Limits,
    _ port: consuming BoundPort?,
    for resources: [LoopResources]
  ) throws(ServerError) -> SocketFile? {
    let silence = limits.silenceMilliseconds
    try passSockets(options, silence, to: resources)
    let file = try openLocal(options, for: resources)
    guard let port else { return file }
    do throws(SystemError) {
      try port.listen(
        for: resources,
        acceptBacklog: options.acceptBacklog,
        silenceMilliseconds: silence
      )
    } catch {
      throw error.code == EADDRINUSE ? .portInUse(options.port) : .system(error)
    }
    return file
  }

  /// Gives each event loop the sockets that a service manager passed.
  private static func passSockets(
    _ options: ServerOptions,
    _ silence: Int,
    to resources: [LoopResources]
  ) throws(ServerError) {
    guard let passed = options.passed else { return }
    do throws(SystemError) {
      for listener in passed.listeners {
        if !listener.isLocal {
          try Syscalls.prepareListener(listener.descriptor.number, silenceMilliseconds: silence)
        }
        for resources in resources { resources.add(try listener.duplicate()) }
      }
    } catch {
      throw .system(error)
    }
  }

  /// Opens the Unix socket of the options for all loops; returns nil if they name none.
  private static func openLocal(
    _ options: ServerOptions,
    for resources: [LoopResources]
  ) throws(ServerError) -> SocketFile? {
    guard options.passed == nil, let socket = options.localSocket else { return nil }
    do throws(SystemError) {
      let listener = Listener(
        owning: try Syscalls.listen(on: socket, acceptBacklog: options.acceptBacklog),
        isLocal: true
      )
      let file = SocketFile(of: socket)
      for resources in resources { resources.add(try listener.duplicate()) }
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
  /// The time in milliseconds after which the system breaks a connection to a silent peer.
  ///
  /// It is the allowed stall, plus the time that the slowest allowed peer needs for the system's
  /// send buffer. If any rate is allowed, it is 0, which means the system's default.
  var silenceMilliseconds: Int {
    guard minBytesPerSecond > 0 else { return 0 }
    let bytes = Int(Syscalls.maxUnsentBytes)
    return writeStallMilliseconds + bytes * 1_000 / minBytesPerSecond
  }
}
