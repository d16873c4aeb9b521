package import HTTP
import Glibc
import Synchronization

/// An HTTP/1.1 server whose event loops run on their own threads.
///
/// Each loop has its own listening socket on the port, among which the kernel distributes
/// connections. A Unix socket, or a socket passed by a service manager, is shared by all loops.
///
/// There is no global state, so a process may run several servers.
package final class Server: Sendable {
  private enum Lifecycle {
    case bound
    case running([pthread_t])
    case stopped
  }

  /// The port.
  ///
  /// If 0 was requested, it is the assigned one; 0 if the server listens on no port.
  package let port: UInt16

  private let settings: EventLoop.Settings
  private let resources: [LoopResources]
  /// The file of the Unix socket, if there is one; removed when the server stops.
  private let socketFile: Mutex<SocketFile?>
  private let metrics: [LoopMetrics]
  /// The lifecycle state.
  ///
  /// The lock is held while threads are started. No event loop takes it.
  private let lifecycle: Mutex<Lifecycle>

  /// Creates a server that listens, but does not accept connections before ``start()``.
  ///
  /// - Parameters:
  ///   - options: The addresses and options for listening.
  ///   - limits: The limits of one connection.
  ///   - handler: The service that handles requests.
  ///   - metrics: The metrics of this server; must not be used for another one.
  ///   - log: The access log, if any. It must be stopped after the server.
  /// - Throws: A ``ServerError`` if listening fails.
  package convenience init(
    options: ServerOptions,
    limits: Limits,
    handler: any RequestHandler,
    metrics: ServerMetrics = ServerMetrics(),
    log: AccessLog? = nil
  ) throws(ServerError) {
    try self.init(
      options: options,
      limits: limits,
      handler: handler,
      port: BoundPort.bind(options),
      metrics: metrics,
      log: log
    )
  }

  /// Creates a server that listens on a port bound before, and on the other sockets of the options.
  ///
  /// - Parameters:
  ///   - options: The options for listening. Host and port must be those that were bound.
  ///   - limits: The limits of one connection.
  ///   - handler: The service that handles requests.
  ///   - bound: The port; nil if ``BoundPort/bind(_:)`` returned nil.
  ///   - metrics: The metrics of this server; must not be used for another one.
  ///   - log: The access log, if any. It must be stopped after the server.
  /// - Throws: A ``ServerError`` if listening fails.
  package init(
    options: ServerOptions,
    limits: Limits,
    handler: any RequestHandler,
    port bound: consuming BoundPort?,
    metrics: ServerMetrics = ServerMetrics(),
    log: AccessLog? = nil
  ) throws(ServerError) {
    let loops = options.loops > 0 ? options.loops : Syscalls.processorCount()
    let isLoopback = options.passed?.isLoopback ?? bound?.address.isLoopback ?? true
    port = bound?.number ?? options.passed?.port ?? 0
    resources = try Self.openResources(count: loops)
    socketFile = Mutex(try Self.listen(options, limits, bound, for: resources))
    settings = EventLoop.Settings(
      limits: limits,
      hosts: (options.hosts ?? (isLoopback ? .loopback() : .any)).exempting(handler.isForwarded),
      maxConnections: options.maxConnections,
      maxHeldBytes: options.maxBufferedBytes,
      addresses: options.countsConnections(isLoopback: isLoopback)
        ? AddressCounts(limit: options.maxConnectionsPerAddress) : nil,
      refusedCredentials: options.countsRefusals(isLoopback: isLoopback)
        ? RefusedCredentials(limit: options.maxRefusedCredentialsPerAddress) : nil,
      exemptsLoopback: options.exemptsLoopback,
      handler: handler,
      coding: options.coding,
      router: handler.router,
      connectionCount: metrics.connections,
      held: metrics.held,
      heldAnswers: metrics.heldAnswers,
      loops: resources,
      log: log,
      maxSpinMicroseconds: options.maxSpinMicroseconds
    )
    self.metrics = metrics.open(loops: loops, labels: handler.router.labels)
    lifecycle = Mutex(.bound)
  }

  private static func openResources(count: Int) throws(ServerError) -> [LoopResources] {
    do throws(SystemError) {
      var resources: [LoopResources] = []
      while resources.count < count { resources.append(try LoopResources()) }
      return resources
    } catch {
      throw .system(error)
    }
  }

  /// Starts the threads that serve requests.
  ///
  /// Must be called at most once, before ``stop(withinMilliseconds:)``.
  ///
  /// - Throws: A ``ServerError`` if a thread cannot be created.
  package func start() throws(ServerError) {
    try lifecycle.withLock { (lifecycle: inout Lifecycle) throws(ServerError) in
      guard case .bound = lifecycle else {
        preconditionFailure("a server is started once")
      }
      var threads: [pthread_t] = []
      do throws(SystemError) {
        for (resources, metrics) in zip(resources, metrics) {
          threads.append(try startLoop(resources, metrics))
        }
      } catch {
        lifecycle = .running(threads)
        throw .system(error)
      }
      lifecycle = .running(threads)
    }
  }

  private func startLoop(
    _ resources: LoopResources,
    _ metrics: LoopMetrics
  ) throws(SystemError) -> pthread_t {
    let settings = settings
    return try Syscalls.startThread(stackBytes: ThreadStack.bytes) {
      EventLoop(settings: settings, resources: resources, metrics: metrics).run()
    }
  }

  /// Stops the server and returns when all connections are closed.
  ///
  /// No further connection is accepted, except those already pending, and idle ones are closed at
  /// once. Others are closed after their current response, which announces it. Calling it again
  /// does nothing. A handler must not call it.
  ///
  /// - Parameter milliseconds: The time after which all connections are closed.
  /// - Returns: The number of requests that were cut off.
  @discardableResult
  package func stop(withinMilliseconds milliseconds: Int) -> Int {
    socketFile.withLock { $0 = nil }
    let threads = lifecycle.withLock { lifecycle -> [pthread_t] in
      defer { lifecycle = .stopped }
      return if case .running(let threads) = lifecycle { threads } else { [] }
    }
    let deadline = Syscalls.monotonicMilliseconds() + milliseconds
    for resources in resources { resources.requestStop(deadline: deadline) }
    // Listeners that no loop has taken over are closed here.
    if threads.isEmpty { for resources in resources { _ = resources.popListeners() } }
    for thread in threads { Syscalls.join(thread) }
    return threads.isEmpty ? 0 : resources.reduce(0) { $0 + $1.cutOffCount }
  }
}
