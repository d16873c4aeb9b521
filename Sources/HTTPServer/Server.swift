public import HTTP
import Glibc
import Synchronization

/// An HTTP/1.1 server: event loops on threads of their own.
///
/// Each loop has its own listening socket on the port, among which the kernel spreads connections.
/// A Unix socket, or one that a service manager passed, is one for all loops.
///
/// There is no global state: any number of servers can run in one process.
public final class Server: Sendable {
  private enum Lifecycle {
    case bound
    case running([pthread_t])
    case stopped
  }

  /// The port it listens on, the one taken if 0 was asked for; 0 where it listens on none.
  public let port: UInt16

  private let settings: EventLoop.Settings
  private let resources: [LoopResources]
  /// The file of the Unix socket, if it listens on one; let go of when it stops.
  private let socketFile: Mutex<SocketFile?>
  private let metrics: [LoopMetrics]
  private let stackBytes: Int
  /// One lock for the three steps of a life.
  ///
  /// It is held for no longer than it takes to start threads, and no loop ever takes it.
  private let lifecycle: Mutex<Lifecycle>

  /// Listens, but does not accept before ``start()``.
  ///
  /// - Parameters:
  ///   - options: Where and how to listen.
  ///   - limits: What one connection may ask.
  ///   - handler: What answers requests.
  ///   - metrics: Where it counts what it does; not those of another server.
  ///   - log: Where it tells of each exchange, if anywhere; to be stopped after the server.
  /// - Throws: A ``ServerError`` when the address cannot be listened on.
  public convenience init(
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

  /// Listens on a port that was bound before, and on what else the options name.
  ///
  /// - Parameters:
  ///   - options: How to listen; its host and port are those that were bound.
  ///   - limits: What one connection may ask.
  ///   - handler: What answers requests.
  ///   - bound: The port; nil if ``BoundPort/bind(_:)`` returned none.
  ///   - metrics: Where it counts what it does; not those of another server.
  ///   - log: Where it tells of each exchange, if anywhere; to be stopped after the server.
  /// - Throws: A ``ServerError`` when an address cannot be listened on.
  public init(
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
      hosts: options.hosts ?? (isLoopback ? .loopback() : .any),
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
    stackBytes = options.stackBytes
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

  /// Starts serving, on threads of its own.
  ///
  /// To be called once.
  ///
  /// - Throws: A ``ServerError`` when the system has no threads left.
  public func start() throws(ServerError) {
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
    return try Syscalls.startThread(stackBytes: stackBytes) {
      EventLoop(settings: settings, resources: resources, metrics: metrics).run()
    }
  }

  /// Stops serving and returns when all connections are closed.
  ///
  /// No connection is accepted any more and idle ones are closed at once; the others are closed
  /// after the answer they are at, which says so. Stopping what is not running does nothing. Not to
  /// be called by a handler.
  ///
  /// - Parameter milliseconds: After how long connections are closed whatever they are at.
  /// - Returns: How many requests that has cut off.
  @discardableResult
  public func stop(withinMilliseconds milliseconds: Int) -> Int {
    socketFile.withLock { $0 = nil }
    let threads = lifecycle.withLock { lifecycle -> [pthread_t] in
      defer { lifecycle = .stopped }
      return if case .running(let threads) = lifecycle { threads } else { [] }
    }
    let deadline = Syscalls.monotonicMilliseconds() + milliseconds
    for resources in resources { resources.requestStop(deadline: deadline) }
    // What no loop has taken is closed here.
    if threads.isEmpty { for resources in resources { _ = resources.takeListeners() } }
    for thread in threads { Syscalls.join(thread) }
    return threads.isEmpty ? 0 : resources.reduce(0) { $0 + $1.cutOffCount }
  }
}
