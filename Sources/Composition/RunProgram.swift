internal import HTTPServer
internal import TreeCluster
internal import TreeDomain
internal import TreeSessions
internal import TreeStorage

/// Runs the program.
///
/// - Returns: The exit status: 0 on success; 2 for a fault in the configuration; 1 for a fault of
///   the system, such as a port in use. If `--check` finds damage, the status is 1, too.
package func runProgram() -> Int32 {
  StandardStream.openMissing()
  do throws(ConfigurationError) {
    let environment = try EnvironmentVariables.ofThisProcess()
    let start = try ManagedStart(environment)
    let invocation = try Configuration.resolve(
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
      return StorageCheck(configuration: configuration).run()
    case .copy(let configuration, let target): return copyStorage(of: configuration, to: target)
    case .serve(let configuration):
      return serve(configuration, start)
    }
    return 0
  } catch {
    say("\(error)")
    return 2
  }
}

/// Serves until a signal stops the process.
///
/// Returns the exit status.
private func serve(_ configuration: Configuration, _ start: ManagedStart) -> Int32 {
  // The standard output has only the addresses, which other programs wait for.
  if let settings = configuration.renderedDifferences() { StandardStream.error.write(settings) }
  if configuration.storage == "memory" {
    say("storage is memory: all trees end with the process")
  }
  for warning in [configuration.keysFileWarning, configuration.passedSocketsWarning] {
    if let warning { say(warning) }
  }
  var memory = SystemMemory()
  do {
    // Signals must be blocked before the first thread starts, because threads inherit that.
    let signals = try TerminationSignals()
    let log = try AccessLog.open(configuration.accessLog)
    defer { log?.stop() }
    start.tell(.starting("reading what is stored"))
    // A signal ends the process at once, because no request was accepted yet.
    let service = try signals.endingProcess {
      try Service(configuration, log: log, sockets: start.sockets)
    }
    try tellGeneration(of: service, configuration)
    if service.storage?.isShortOfRoom == true {
      say("less than minFreeBytes is free in \(configuration.data): only deletions are taken")
    }
    // A single write, so that a reader gets all lines at once.
    let places = configuration.places(port: service.port)
    StandardStream.output.write(places.map { "listening on \($0)\n" }.joined())
    let ready = ServiceManager.State.ready("listening on \(places.joined(separator: ", "))")
    start.tell(ready)
    var lastMaintenance = SystemClock.bootSeconds
    serving: while true {
      if service.cluster?.isOver == true { throw LostDatabase() }
      switch signals.wait(milliseconds: memoryCheckMilliseconds) {
      case .stop: break serving
      case .reopen:
        start.tell(.reloading)
        log?.reopen()
        if let outcome = configuration.reloadKeys(of: service.keys) { say(outcome) }
        start.tell(ready)
      case nil:
        service.cluster?.dropOutdated()
        relieve(service, &memory)
        guard SystemClock.bootSeconds - lastMaintenance >= SessionStore.maintenanceSeconds else {
          continue
        }
        lastMaintenance = SystemClock.bootSeconds
        service.trees.runMaintenance()
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

/// The error that another instance owns the database, so that the memory of this one is outdated.
private struct LostDatabase: Error {}

/// Tells the operator if a generation began, because a backup was restored or changes were lost.
private func tellGeneration(
  of service: Service,
  _ configuration: Configuration
) throws(StorageError) {
  let notice: String?
  if let storage = service.storage {
    notice = try GenerationNotice.text(storage.generationCause(), storage, configuration)
  } else {
    notice = nil
  }
  if let notice { say(notice) }
}

/// The interval between two checks for tight memory, in milliseconds.
private let memoryCheckMilliseconds = 500

/// Returns unused memory to the system and drops unused data, if memory is tight.
private func relieve(_ service: Service, _ memory: inout SystemMemory) {
  guard service.trees.isMemoryTight else { return }
  memory.giveBackHoles()
  service.trees.relieveMemory()
}

/// Makes `readyz` fail, and continues to serve for `lameDuckSeconds`.
///
/// A second signal to stop ends this early.
///
/// No long task starts meanwhile, so that the process ends in time.
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

/// The time that threads of the process have to end after `drainSeconds`, in milliseconds.
private let closingMilliseconds = 2_000

/// Ends the process with status 1 if the shutdown takes longer than `drainSeconds` and 2 s.
///
/// A worker, the disk, or the reader of the log may delay it. Everything acknowledged is stored by
/// then.
private func endInTime(_ configuration: Configuration) throws(SystemError) {
  let milliseconds = configuration.drainSeconds * 1_000 + closingMilliseconds
  try Watchdog.start(milliseconds: milliseconds, exitStatus: 1) {
    say("drainSeconds are over, and work is still under way; it ends undone with the process")
  }
}

/// Prints a sentence for the operator.
func say(_ sentence: String) { StandardStream.error.write("tree-server: \(sentence)\n") }

/// Returns a sentence for the operator about an error.
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
  /// The reason, with advice if the reason has none.
  fileprivate var advice: String {
    switch self {
    case .failed(let reason), .refused(let reason), .tooLarge(let reason): reason
    case .full(let reason): "\(reason); make room on the disk, or give it another place"
    case .damaged(let reason):
      "\(reason); put a backup in its place, or give it another place"
    }
  }
}
