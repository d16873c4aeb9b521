internal import HTTPServer
internal import TreeAPI
internal import TreeDomain
internal import TreeSessions
internal import TreeStorage

/// Does what the command line asks for.
///
/// - Returns: The exit status: 0 when all went well, 2 when the configuration is at fault, 1 when
///   the system is (the port is taken, there are no threads left).
func runProgram() -> Int32 {
  do throws(ConfigurationError) {
    switch try Configuration.settle() {
    case .help: StandardStream.output.write(helpText())
    case .check(let configuration):
      StandardStream.output.write(configuration.rendered())
      return configuration.verifyStorage()
    case .serve(let configuration): return serve(configuration)
    }
    return 0
  } catch {
    StandardStream.error.write("tree-server: \(error)\n")
    return 2
  }
}

/// Serves until a signal asks to stop.
private func serve(_ configuration: Configuration) -> Int32 {
  // The standard output is for the one line that others wait for.
  StandardStream.error.write(configuration.rendered())
  var memory = SystemMemory()
  do {
    // Before anything starts a thread: the signals are blocked for those, too.
    let signals = try TerminationSignals(hangup: configuration.logsToFile)
    let log = try configuration.openAccessLog()
    defer { log?.stop() }
    let workers = try WorkerPool(
      threads: configuration.workers,
      queueMax: configuration.maxWaitingJobs,
      niceness: configuration.workerNiceness
    )
    // After the server, so that what it still answers can be worked at.
    defer { workers.stop() }
    let storage = try configuration.openStorage()
    if storage == nil {
      StandardStream.error.write("tree-server: storage is memory: all trees end with the process\n")
    }
    let writer = try WorkerPool(
      threads: 1,
      queueMax: 1,
      spinMicrosecondsMax: configuration.maxSpinMicroseconds
    )
    // Whatever else there is to write is written first.
    defer {
      writer.stop(finishing: true)
      storage?.close()
    }
    let store = try configuration.makeStore(workers, storage, writer)
    let server = try start(store, configuration, workers, log)
    StandardStream.output.write("listening on \(configuration.url(port: server.port))\n")
    serving: while true {
      switch signals.wait(milliseconds: SessionStore.housekeepingSeconds * 1_000) {
      case .stop: break serving
      case .reopen: log?.reopen()
      case nil:
        store.keepHouse()
        memory.giveBackHoles()
      }
    }
    store.drain()
    server.stop(withinMilliseconds: configuration.drainSeconds * 1_000)
    store.stop()
    return 0
  } catch {
    StandardStream.error.write("tree-server: \(reason(for: error, configuration))\n")
    return error as? ServerError == .invalidHost(configuration.host) ? 2 : 1
  }
}

/// Puts the house together: the store of sessions, the API over it, and the server before both.
private func start(
  _ store: SessionStore,
  _ configuration: Configuration,
  _ workers: WorkerPool,
  _ log: AccessLog?
) throws(ServerError) -> Server {
  let metrics = ServerMetrics()
  let around = Observation(
    server: metrics,
    workers: workers,
    log: log,
    process: ProcessMetrics()
  )
  let api = TreeAPI(
    service: store,
    limits: configuration.decodingLimits,
    options: configuration.apiOptions,
    observe: around.write,
    isBusy: { workers.isFull },
    run: workers.submit
  )
  var options = configuration.serverOptions
  if let descriptors = options.fitDescriptors() {
    StandardStream.error.write(
      """
      tree-server: the system allows this process \(descriptors) descriptors, so that there may be \
      \(options.connectionsMax) connections instead of \(configuration.maxConnections); raise the \
      limit (ulimit -n) or lower maxConnections\n
      """
    )
  }
  options.coding = configuration.codingOptions(workers)
  let server = try Server(
    options: options,
    limits: configuration.limits,
    handler: api,
    metrics: metrics,
    log: log
  )
  try server.start()
  return server
}

/// A sentence for the operator.
private func reason(for error: any Error, _ configuration: Configuration) -> String {
  if let error = error as? StorageError {
    return "cannot use \(configuration.data)/\(SQLiteStorage.fileName): \(error.advice)"
  }
  if let error = error as? LogError {
    return "cannot write the access log \(error.path): \(error.error)"
  }
  return switch error as? ServerError {
  case .invalidHost(let host): "host \(host) is no address; give a numeric one, or localhost"
  case .portInUse(let port):
    "port \(port) is in use at \(configuration.host); stop what uses it, or choose another --port"
  case .system(let error): "cannot listen on \(configuration.host): \(error)"
  case nil: "cannot start: \(error)"
  }
}

extension StorageError {
  /// What happened, and what the operator can do about it where that is not said already.
  fileprivate var advice: String {
    switch self {
    case .failed(let reason), .refused(let reason): reason
    case .full(let reason): "\(reason); make room on the disk, or give --data another folder"
    case .damaged(let reason):
      "\(reason); put a backup in its place, or give --data another folder"
    }
  }
}
