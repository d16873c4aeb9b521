import Glibc

/// A `tree-server` that runs as a child process with its own data folder.
///
/// The release of the value kills the process and removes the folder.
final class ServerProcess {
  /// The way in which it ended.
  enum Ending: Equatable {
    case exit(status: Int32)
    case signal(Int32)

    var text: String {
      switch self {
      case .exit(let status): "exit status \(status)"
      case .signal(let number): "killed by signal \(number)"
      }
    }
  }

  let port: UInt16
  let process: ProcessIdentity
  /// The way in which it ended; nil while it runs.
  private(set) var ending: Ending?
  private let folder: String
  private let group: MemoryGroup?

  /// Starts the program, and waits until it listens.
  ///
  /// - Parameters:
  ///   - target: The program, its memory limit and its settings.
  ///   - settings: More settings, none of which the target has.
  init(_ target: ServiceTarget, settings: [String] = []) {
    folder = Self.makeFolder()
    let number = folder.split(separator: ".").last ?? ""
    group = target.memoryLimit.flatMap { MemoryGroup(bytes: $0, name: "tree-bench.\(number)") }
    if target.memoryLimit != nil && group == nil {
      print("No memory cgroup can be made here: the server runs without a limit.")
    }
    let arguments =
      ["--port=0", "--data=\(folder)/data", "--max-requests-per-connection=1000000000"]
      + settings + target.settings
    let words = ([target.path] + arguments).map { "'\($0)'" }.joined(separator: " ")
    let joining = group.map { "echo $$ > \($0.memberFile); " } ?? ""
    let script = "\(joining)exec \(words) < /dev/null > \(folder)/out 2> \(folder)/err"
    process = ProcessIdentity(number: Self.spawn(["/bin/sh", "-c", script]))
    port = Self.waitForPort(folder, process.number)
  }

  deinit {
    if isAlive {
      kill(process.number, SIGKILL)
      waitForEnd()
    }
    _ = Shell.run("rm -r -- \(folder)")
  }

  /// True until it has ended.
  var isAlive: Bool {
    look(WNOHANG)
    return ending == nil
  }

  /// The last lines of its standard error.
  var lastErrors: String { Shell.run("tail -n 20 \(folder)/err").output }

  /// Sends SIGTERM, and waits for the end of the process.
  ///
  /// The process is killed after two minutes.
  ///
  /// - Returns: The time until it ended.
  func stop() -> Duration {
    let clock = ContinuousClock()
    let start = clock.now
    if isAlive { kill(process.number, SIGTERM) }
    while isAlive {
      usleep(1_000)
      if clock.now - start > .seconds(120) { kill(process.number, SIGKILL) }
    }
    return clock.now - start
  }

  /// Makes an empty folder below the current one.
  ///
  /// - Returns: Its absolute path.
  static func makeFolder() -> String {
    let (status, output) = Shell.run("mktemp -d tree-bench.XXXXXXXX")
    precondition(status == 0, "no folder can be made here")
    return Shell.run("realpath \(output)").output.filter { $0 != "\n" }
  }

  private func waitForEnd() { look(0) }

  private func look(_ options: Int32) {
    guard ending == nil else { return }
    var status: Int32 = 0
    guard unsafe waitpid(process.number, &status, options) == process.number else { return }
    let signal = status & 0x7F
    ending = signal == 0 ? .exit(status: status >> 8 & 0xFF) : .signal(signal)
  }

  private static func spawn(_ words: [String]) -> pid_t {
    var number: pid_t = 0
    var arguments = unsafe words.map { unsafe strdup($0) } + [nil]
    var variables = unsafe [strdup("PATH=/usr/bin:/bin"), nil]
    let result = unsafe posix_spawn(&number, words[0], nil, nil, &arguments, &variables)
    unsafe (arguments + variables).forEach { unsafe free($0) }
    precondition(result == 0, "no process can be started: \(result)")
    return number
  }

  private static func waitForPort(_ folder: String, _ process: pid_t) -> UInt16 {
    let mark = "listening on http://127.0.0.1:"
    for _ in 0..<3_000 {
      let line = Shell.run("cat \(folder)/out 2> /dev/null").output
      if line.hasPrefix(mark), line.last == "\n" {
        guard let port = UInt16(line.dropFirst(mark.count).filter(\.isNumber)) else { break }
        return port
      }
      usleep(10_000)
      // A child that ended stays until somebody waits for it, but has no program any more.
      guard Shell.run("readlink /proc/\(process)/exe > /dev/null").status == 0 else { break }
    }
    preconditionFailure("the server does not start: " + Shell.run("cat \(folder)/err").output)
  }
}
