internal import HTTPServer
internal import TreeDomain
internal import TreeSessions
internal import TreeStorage

/// Does what the command line asks for.
///
/// - Returns: The exit status: 0 when all went well, 2 when the configuration is at fault, 1 when
///   the system is (the port is taken, there are no threads left).
public func runProgram() -> Int32 {
  StandardStream.openMissing()
  do throws(ConfigurationError) {
    let environment = try EnvironmentVariables.ofThisProcess()
    let start = try ManagedStart(environment)
    let invocation = try Configuration.settle(
      arguments: Array(CommandLine.arguments.dropFirst()),
      environment: environment,
      passed: start.sockets?.places ?? [],
      contents: { (path) throws(ConfigurationError) in
        try readFile(path, limit: Configuration.maxFileBytes)
      }
    )
    switch invocation {
    case .help: StandardStream.output.write(helpText())
    case .version: StandardStream.output.write("tree-server \(programVersion)\n")
    case .check(let configuration):
      StandardStream.output.write(configuration.limitingMemory(to: MemoryLimit()).rendered())
      return configuration.verifyStorage()
    case .copy(let configuration, let target): return configuration.copyStorage(to: target)
    case .serve(let configuration):
      return serve(configuration.limitingMemory(to: MemoryLimit()), start)
    }
    return 0
  } catch {
    say("\(error)")
    return 2
  }
}

/// Serves until a signal asks to stop.
private func serve(_ configuration: Configuration, _ start: ManagedStart) -> Int32 {
  // The standard output is for the lines that others wait for: where it listens.
  if let settings = configuration.renderedDifferences() { StandardStream.error.write(settings) }
  if configuration.storage == "memory" {
    say("storage is memory: all trees end with the process")
  }
  for warning in [configuration.keysFileWarning, configuration.passedSocketsWarning] {
    if let warning { say(warning) }
  }
  var memory = SystemMemory()
  do {
    // Before anything starts a thread: the signals are blocked for those, too.
    let signals = try TerminationSignals()
    let log = try configuration.openAccessLog()
    defer { log?.stop() }
    start.tell(.starting("reading what is stored"))
    // What the service was told before is stored, and it is told nothing yet.
    let service = try signals.endingProcess {
      try Service(configuration, log: log, sockets: start.sockets)
    }
    try tellGeneration(of: service, configuration)
    if service.storage?.isShortOfRoom == true {
      say("less than minFreeBytes is free in \(configuration.data): only deletions are taken")
    }
    // In one piece: who waits for it has all of it then.
    let places = configuration.places(port: service.port)
    StandardStream.output.write(places.map { "listening on \($0)\n" }.joined())
    let ready = ServiceManager.State.ready("listening on \(places.joined(separator: ", "))")
    start.tell(ready)
    var lastMaintenance = SystemClock.bootSeconds
    serving: while true {
      if service.database?.isLost == true { throw LostDatabase() }
      switch signals.wait(milliseconds: memoryCheckMilliseconds) {
      case .stop: break serving
      case .reopen:
        start.tell(.reloading)
        log?.reopen()
        if let outcome = configuration.reloadKeys(of: service.keys) { say(outcome) }
        start.tell(ready)
      case nil:
        relieve(service, &memory)
        guard SystemClock.bootSeconds - lastMaintenance >= SessionStore.maintenanceSeconds else {
          continue
        }
        lastMaintenance = SystemClock.bootSeconds
        service.store.runMaintenance()
        memory.giveBackHoles()
      }
    }
    announceStop(of: service, configuration, start, signals, log)
    try endInTime(configuration)
    let cutOff = service.stop()
    if cutOff > 0 { say("requests cut off as drainSeconds were over: \(cutOff)") }
    return 0
  } catch {
    say(reason(for: error, configuration))
    return 1
  }
}

/// Another instance owns the database: what this one has in memory is of no use any more.
private struct LostDatabase: Error {}

/// Tells if a generation began.
private func tellGeneration(
  of service: Service,
  _ configuration: Configuration
) throws(StorageError) {
  let notice: String?
  if let storage = service.storage {
    notice = try configuration.generationNotice(storage.generationCause(), storage)
  } else if let database = service.database {
    notice = try configuration.generationNotice(database.generationCause, database)
  } else {
    notice = nil
  }
  if let notice { say(notice) }
}

/// The time between two looks for tight memory.
private let memoryCheckMilliseconds = 500

/// Gives back memory that lies unused, and drops what nobody uses, if memory is tight.
private func relieve(_ service: Service, _ memory: inout SystemMemory) {
  guard service.store.isMemoryTight else { return }
  memory.giveBackHoles()
  service.store.relieveMemory()
}

/// Has `readyz` say that the end is near, and goes on serving for `lameDuckSeconds`, or until it is
/// asked to stop once more.
///
/// Nothing is done meanwhile that may take long, so that the process ends in time.
private func announceStop(
  of service: Service,
  _ configuration: Configuration,
  _ start: ManagedStart,
  _ signals: borrowing TerminationSignals,
  _ log: AccessLog?
) {
  service.announceStop()
  start.tell(.stopping("answering the last requests"))
  let end = SystemClock.bootMilliseconds + configuration.lameDuckSeconds * 1_000
  while case let left = end - SystemClock.bootMilliseconds, left > 0 {
    switch signals.wait(milliseconds: left) {
    case .stop: return
    case .reopen: log?.reopen()
    case nil: continue
    }
  }
}

/// After the time for requests under way, for how long the process waits for its own threads.
private let closingMilliseconds = 2_000

/// Has the process end even if a worker, the disk or who reads the log keeps it.
///
/// What was answered is stored then, as after any other end.
private func endInTime(_ configuration: Configuration) throws(SystemError) {
  let milliseconds = configuration.drainSeconds * 1_000 + closingMilliseconds
  try Watchdog.start(milliseconds: milliseconds, exitStatus: 1) {
    say("drainSeconds are over, and work is still under way; it ends undone with the process")
  }
}

/// Tells the operator something.
func say(_ sentence: String) { StandardStream.error.write("tree-server: \(sentence)\n") }

/// A sentence for the operator.
private func reason(for error: any Error, _ configuration: Configuration) -> String {
  if let error = error as? StorageError {
    return "cannot use \(configuration.storagePlace): \(error.advice)"
  }
  if error is LostDatabase {
    return "another instance has taken over \(configuration.storagePlace); this one ends"
  }
  if let error = error as? LogError {
    let advice = error.error.hasNoReader ? "; it is a pipe, and nobody reads from it" : ""
    return "cannot write the access log \(error.path): \(error.error)\(advice)"
  }
  return switch error as? ServerError {
  case .invalidHost(let host): "\(ConfigurationError.malformedHost(host))"
  case .portInUse(let port):
    "port \(port) is in use at \(configuration.host); stop what uses it, or choose another --port"
  case .socketInUse(let path):
    "somebody listens on \(path) already; stop what does, or choose another --unix-socket"
  case .socketLocked(let path):
    "another process keeps \(path).lock locked; stop it, or choose another --unix-socket"
  case .notASocket(let path):
    "what lies at \(path) is no socket, and is left as it is; choose another --unix-socket"
  case .socket(let path, let error): "cannot listen on \(path): \(error)"
  case .tooFewDescriptors(let allowed, let loops):
    """
    the system allows this process \(allowed) descriptors, which are too few for \(loops) loops; \
    raise the limit (ulimit -n), or choose fewer --loops
    """
  case .system(let error): "cannot listen on \(configuration.host): \(error)"
  case nil: "cannot start: \(error)"
  }
}

extension StorageError {
  /// What happened, and what the operator can do about it where that is not said already.
  fileprivate var advice: String {
    switch self {
    case .failed(let reason), .refused(let reason), .tooLarge(let reason): reason
    case .full(let reason): "\(reason); make room on the disk, or give it another place"
    case .damaged(let reason):
      "\(reason); put a backup in its place, or give it another place"
    }
  }
}
