internal import HTTPServer
internal import Synchronization
internal import TreeAPI
internal import TreeDomain
public import TreeSessions
public import TreeStorage

/// The whole service, put together and running: storage, trees and sessions over it, the API, the
/// server before them, and the threads that they share.
public final class Service {
  /// The trees and sessions.
  public let store: SessionStore
  /// The file that they are kept in; nil if there is none.
  public let storage: SQLiteStorage?
  /// The database that they are kept in; nil if there is none.
  let database: PostgreSQLStorage?
  /// The keys that requests show.
  let keys: KeyRing
  private let server: Server
  private let workers: Scheduler
  private let drainMilliseconds: Int
  /// For how long the end waits at most for the log to be copied while requests are served.
  private static let copyMilliseconds = 2_000
  /// What ends the parts below the server, in the order in which they were begun.
  private let endings: [() -> Void]

  /// Starts serving as a command line asks for.
  ///
  /// - Parameter arguments: The command line without the program's name; no variable of the
  ///   environment counts.
  /// - Throws: What is wrong with the arguments, or what the system refuses.
  public convenience init(arguments: [String]) throws {
    let invocation = try Configuration.settle(
      arguments: arguments,
      environment: [],
      contents: { (path) throws(ConfigurationError) in
        try readFile(path, limit: Configuration.maxFileBytes)
      }
    )
    guard case .serve(let configuration) = invocation else {
      preconditionFailure("these arguments ask for no service")
    }
    try self.init(configuration, log: nil, sockets: nil)
  }

  /// Starts serving.
  ///
  /// - Parameters:
  ///   - configuration: What the operator has chosen.
  ///   - log: Where exchanges are noted; the caller stops it after the service.
  ///   - sockets: The sockets that a service manager passed; nil for none.
  /// - Throws: ``StorageError``, ``ServerError``; what had begun has ended then.
  init(_ configuration: Configuration, log: AccessLog?, sockets: PassedSockets?) throws {
    var endings: [() -> Void] = []
    let limit = MemoryLimit()
    let configuration = configuration.limitingMemory(to: limit)
    let memory = configuration.makeMemory(limit)
    // A port that is taken is reported before anything that takes long.
    var options = configuration.serverOptions
    options.passed = sockets
    let port = try BoundPort.bind(options)
    do {
      let workers = try configuration.makeWorkers()
      // After the server, so that what it still answers can be worked at.
      endings.append { workers.stop() }
      let storage = try configuration.openStorage(workers)
      let database = try configuration.openDatabase()
      endings.append {
        storage?.close()
        database?.close()
      }
      let writer = try configuration.makeWriter()
      // Whatever else there is to write is written first.
      endings.append { writer.stop(finishing: true) }
      let store = try configuration.makeStore(memory, workers, database ?? storage, writer)
      let (server, keys) = try configuration.makeServer(
        store,
        memory,
        workers,
        log,
        storage,
        database,
        sockets,
        port
      )
      try server.start()
      (self.store, self.server, self.storage, self.keys) = (store, server, storage, keys)
      self.database = database
      self.workers = workers
    } catch {
      for end in endings.reversed() { end() }
      throw error
    }
    self.endings = endings
    drainMilliseconds = configuration.drainSeconds * 1_000
  }

  /// The port it listens at.
  public var port: UInt16 { server.port }

  /// Reports on `readyz` that the end is near, and goes on serving.
  func announceStop() { store.drain() }

  /// Stops: requests under way are answered within `drainSeconds`, streams end and say so, and all
  /// that was to be written is.
  ///
  /// - Returns: How many requests were cut off as `drainSeconds` were over.
  @discardableResult
  public func stop() -> Int {
    store.drain()
    let end = SystemClock.bootMilliseconds + drainMilliseconds
    copyLog()
    let cutOff = server.stop(withinMilliseconds: max(end - SystemClock.bootMilliseconds, 0))
    // Nobody waits any more for what the workers are at.
    workers.interrupt()
    store.stop()
    for end in endings.reversed() { end() }
    return cutOff
  }

  /// Has the log copied while requests are still taken: clients are refused for so much less of the
  /// end.
  ///
  /// It is a part of the time that requests under way are given.
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

/// A work of another thread that may be done.
private final class FinishedWork: Sendable {
  let isDone = Atomic(false)
}
