internal import HTTPServer
internal import Synchronization
internal import TreeAPI
internal import TreeCluster
internal import TreeDomain
package import TreeSessions
package import TreeStorage

/// The running service: storage, trees and sessions, the API, the server, and their threads.
package final class Service {
  /// The trees and sessions, if they are not in a database.
  package let store: SessionStore?
  /// The storage in a file; nil if there is none.
  package let storage: SQLiteStorage?
  /// The trees and sessions.
  let trees: any KeptTrees
  /// The trees and sessions, if they are in a database.
  let cluster: ClusterService?
  /// The keys that the server accepts.
  let keys: KeyRing
  private let server: Server
  private let workers: Scheduler
  private let drainMilliseconds: Int
  /// The maximum time that a stop waits for the log to be copied while requests are served.
  private static let copyMilliseconds = 2_000
  /// Functions that stop the parts below the server, in the order in which those were started.
  private let endings: [() -> Void]

  /// Starts serving with the settings of a command line.
  ///
  /// Environment variables are ignored.
  ///
  /// - Parameters:
  ///   - arguments: The command line without the program's name.
  ///   - adjust: Changes limits that are no settings.
  /// - Precondition: The arguments do not ask for help, the version or a check.
  /// - Throws: ``ConfigurationError``, ``StorageError`` or ``ServerError``.
  package convenience init(
    arguments: [String],
    adjusting adjust: (inout SessionLimits) -> Void = { _ in }
  ) throws {
    let invocation = try Configuration.resolve(
      arguments: arguments,
      environment: [],
      contents: { (path) throws(ConfigurationError) in
        try readFile(path, limit: Configuration.maxFileBytes)
      }
    )
    guard case .serve(var configuration) = invocation else {
      preconditionFailure("these arguments ask for no service")
    }
    adjust(&configuration.trees)
    try self.init(configuration, log: nil, sockets: nil)
  }

  /// Starts serving.
  ///
  /// - Parameters:
  ///   - configuration: The resolved configuration.
  ///   - log: The access log, which the caller stops after the service; nil for none.
  ///   - sockets: The sockets that a service manager passed; nil for none.
  /// - Throws: ``StorageError`` or ``ServerError``. Everything that was started has ended then.
  init(_ configuration: Configuration, log: AccessLog?, sockets: PassedSockets?) throws {
    var endings: [() -> Void] = []
    let limit = MemoryLimit()
    let configuration = configuration.limitingMemory(to: limit)
    let assembly = ServiceAssembly(configuration: configuration)
    let memory = assembly.makeMemory(limit)
    // A port in use is reported before any long task begins.
    var options = configuration.serverOptions
    options.passed = sockets
    let port = try BoundPort.bind(options)
    do {
      let workers = try assembly.makeWorkers()
      // Workers stop after the server, because its last answers need them.
      endings.append { workers.stop() }
      let (store, storage) = try assembly.makeOwnTrees(memory, workers, &endings)
      let cluster = try assembly.makeCluster(memory, workers, &endings)
      guard let trees: any KeptTrees = cluster ?? store else {
        preconditionFailure("trees are in a database, or they are not")
      }
      let upstream = try assembly.makeUpstream()
      endings.append { upstream?.stop() }
      let (server, keys) = try assembly.makeServer(
        trees,
        memory,
        workers,
        log,
        storage,
        upstream,
        sockets,
        port
      )
      try server.start()
      (self.store, self.server, self.storage, self.keys) = (store, server, storage, keys)
      (self.trees, self.cluster) = (trees, cluster)
      self.workers = workers
    } catch {
      for end in endings.reversed() { end() }
      throw error
    }
    self.endings = endings
    drainMilliseconds = configuration.drainSeconds * 1_000
  }

  /// The port that the server listens on.
  package var port: UInt16 { server.port }

  /// Makes `readyz` report the coming stop.
  ///
  /// The service continues.
  func announceStop() { trees.drain() }

  /// Stops the service.
  ///
  /// Requests in progress are answered within `drainSeconds`. Streams end with a last event. Then
  /// everything is written.
  ///
  /// - Returns: The number of requests that were cut off when `drainSeconds` were over.
  @discardableResult
  package func stop() -> Int {
    trees.drain()
    let end = SystemClock.bootMilliseconds + drainMilliseconds
    copyLog()
    cluster?.handOver(withinMilliseconds: drainMilliseconds / 2)
    let cutOff = server.stop(withinMilliseconds: max(end - SystemClock.bootMilliseconds, 0))
    // No client waits for the workers any more.
    workers.interrupt()
    trees.stop()
    for end in endings.reversed() { end() }
    return cutOff
  }

  /// Copies the log while requests are still accepted, which shortens the time in which they are
  /// refused.
  ///
  /// The time counts towards `drainSeconds`.
  private func copyLog() {
    guard let storage else { return }
    let copy = FinishedWork()
    guard
      workers.submit({
        storage.copyBeforeClosing(); copy.isDone.store(true, ordering: .releasing)
      })
    else { return }
    let end = SystemClock.bootMilliseconds + min(drainMilliseconds, Self.copyMilliseconds)
    while !copy.isDone.load(ordering: .acquiring), SystemClock.bootMilliseconds < end {
      SystemClock.sleep(milliseconds: 5)
    }
  }
}

/// A flag that another thread sets when its work is done.
private final class FinishedWork: Sendable {
  let isDone = Atomic(false)
}
