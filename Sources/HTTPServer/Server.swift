public import HTTP
import Glibc
import Synchronization

/// An HTTP/1.1 server: event loops on threads of their own, each with its own listening socket on
/// the same port, among which the kernel spreads connections.
///
/// There is no global state: any number of servers can run in one process.
public final class Server: Sendable {
  private enum Lifecycle {
    case bound
    case running([pthread_t])
    case stopped
  }

  /// The port it listens on; the one taken if 0 was asked for.
  public let port: UInt16

  private let settings: EventLoop.Settings
  private let resources: [LoopResources]
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
  public init(
    options: ServerOptions,
    limits: Limits,
    handler: any RequestHandler,
    metrics: ServerMetrics = ServerMetrics(),
    log: AccessLog? = nil
  ) throws(ServerError) {
    guard let address = SocketAddress(host: options.host, port: options.port) else {
      throw .invalidHost(options.host)
    }
    let loops = options.loops > 0 ? options.loops : Syscalls.processorCount()
    do throws(SystemError) {
      (resources, port) = try Self.listen(options, limits, address, count: loops)
    } catch {
      throw error.code == EADDRINUSE ? .portInUse(options.port) : .system(error)
    }
    settings = EventLoop.Settings(
      limits: limits,
      hosts: options.hosts ?? (address.isLoopback ? .loopback() : .any),
      maxConnections: options.maxConnections,
      maxHeldBytes: options.maxBufferedBytes,
      addresses: options.countsConnections(to: address)
        ? AddressCounts(limit: options.maxConnectionsPerAddress) : nil,
      refusedCredentials: options.countsRefusals(at: address)
        ? RefusedCredentials(limit: options.maxRefusedCredentialsPerAddress) : nil,
      exemptsLoopback: options.exemptsLoopback,
      handler: handler,
      coding: options.coding,
      router: handler.router,
      connectionCount: metrics.connections,
      held: metrics.held,
      loops: resources,
      log: log,
      maxSpinMicroseconds: options.maxSpinMicroseconds
    )
    self.metrics = metrics.open(loops: loops, labels: handler.router.labels)
    stackBytes = options.stackBytes
    lifecycle = Mutex(.bound)
  }

  /// Opens what each loop needs, a listening socket first.
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
    let threads = lifecycle.withLock { lifecycle -> [pthread_t] in
      defer { lifecycle = .stopped }
      return if case .running(let threads) = lifecycle { threads } else { [] }
    }
    let deadline = Syscalls.monotonicMilliseconds() + milliseconds
    for resources in resources { resources.requestStop(deadline: deadline) }
    // What no loop has taken is closed here.
    if threads.isEmpty { for resources in resources { _ = resources.takeListener() } }
    for thread in threads { Syscalls.join(thread) }
    return threads.isEmpty ? 0 : resources.reduce(0) { $0 + $1.cutOffCount }
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
