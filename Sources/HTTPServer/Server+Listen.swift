import Glibc
import HTTP

// The listening sockets of a server.
extension Server {
  /// Gives each loop its listening sockets; the port listens last.
  ///
  /// - Parameters:
  ///   - options: How to listen.
  ///   - limits: What one connection may ask.
  ///   - port: The bound port; nil for none.
  ///   - resources: Those of the loops.
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

  /// Gives each loop the sockets that a service manager passed.
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
  /// For how long a peer may not answer for what the system has sent it, or holds for it: as long
  /// as it may take that at its slowest; 0, which leaves it to the system, where any rate will do.
  var silenceMilliseconds: Int {
    guard minAnswerBytesPerSecond > 0 else { return 0 }
    let bytes = Int(Syscalls.maxUnsentBytes)
    return writeStallMilliseconds + bytes * 1_000 / minAnswerBytesPerSecond
  }
}
