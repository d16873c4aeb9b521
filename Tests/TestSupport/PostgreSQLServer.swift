import Foundation
import Synchronization

/// A PostgreSQL server in its own folder, which ends with the test process.
///
/// A shell starts the server, reads commands from the test, and stops the server after the test
/// process has ended. The server cannot run as root, and then runs as another user.
package final class PostgreSQLServer: Sendable {
  /// The folder of the Unix socket.
  package let folder: String
  /// The port on the loopback address.
  package let port: Int
  /// The time of day that the server sees.
  package let clock: MovableClock
  private let shell: Mutex<Shell>
  private let databases = Atomic(0)

  private struct Shell {
    let process: Process
    let input: FileHandle
    let output: FileHandle
  }

  /// The folder of the programs; nil if they are not installed, which is reported once.
  package static let programs: String? = {
    let debian = (13...18).reversed().map { "/usr/lib/postgresql/\($0)/bin" }
    let path = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    let found = (path.map(String.init) + debian).first { folder in
      ["initdb", "postgres", "psql", "pg_dump"].allSatisfy {
        FileManager.default.isExecutableFile(atPath: "\(folder)/\($0)")
      }
    }
    if found == nil {
      let line = "PostgreSQL is not installed (postgresql-15): its tests are skipped\n"
      FileHandle.standardError.write(Data(line.utf8))
    }
    return found
  }()

  /// The server that tests share if they do not stop it; nil if there is none.
  package static let shared: PostgreSQLServer? = try? PostgreSQLServer()

  /// An error with the output of a program.
  package struct Failure: Error {
    package let text: String
  }

  /// Creates a server and starts it.
  ///
  /// - Parameters:
  ///   - settings: Settings of the server, such as `fsync=on`.
  ///   - primary: The port of the primary of a streaming standby; nil for none.
  ///   - hasOwnClock: True if its clock can be moved.
  package init(
    _ settings: [String] = [],
    standbyOf primary: Int? = nil,
    hasOwnClock: Bool = false
  ) throws {
    guard let programs = Self.programs else { throw Failure(text: "PostgreSQL is not installed") }
    let name = "pg-\(UUID().uuidString.prefix(8))"
    folder = "\(FileManager.default.temporaryDirectory.path)/\(name)"
    port = try Self.freePort()
    clock = try MovableClock()
    let process = Process()
    let (input, output) = (Pipe(), Pipe())
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    let source = primary.map { "host=127.0.0.1 port=\($0) user=postgres" } ?? ""
    let arguments = [folder, "\(port)", programs, source]
    process.arguments = ["-c", Self.script, "sh"] + arguments + settings
    let environment = ProcessInfo.processInfo.environment
    process.environment = hasOwnClock ? environment.merging(clock.variables) { $1 } : environment
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    shell = Mutex(
      Shell(
        process: process,
        input: input.fileHandleForWriting,
        output: output.fileHandleForReading
      )
    )
    try start()
  }

  deinit { shell.withLock { try? $0.input.close() } }

  /// Starts the server, and waits until it accepts connections.
  package func start() throws {
    try send("start")
    var last = ""
    for _ in 0..<600 {
      do {
        _ = try sql("SELECT 1")
        return
      } catch let failure as Failure { last = failure.text }
      // Processes of a killed server may still be running.
      try send("start")
      usleep(50_000)
    }
    throw Failure(text: last)
  }

  /// Kills all processes of the server at once.
  package func kill() throws { try send("kill") }

  private func send(_ command: String) throws {
    try shell.withLock { shell in
      try shell.input.write(contentsOf: Data("\(command)\n".utf8))
      var byte = try shell.output.read(upToCount: 1)
      while let last = byte, last != Data("\n".utf8) { byte = try shell.output.read(upToCount: 1) }
      guard byte != nil else { throw Failure(text: "the shell of the server has ended") }
    }
  }

  /// Creates an empty database.
  ///
  /// - Returns: The name of the database.
  package func makeDatabase() throws -> String {
    let number = databases.wrappingAdd(1, ordering: .relaxed).newValue
    _ = try sql("CREATE DATABASE test\(number)")
    return "test\(number)"
  }

  /// Returns the connection URI of a database.
  package func uri(of database: String) -> String {
    "postgresql://postgres@/\(database)?host=\(folder)&port=\(port)"
  }

  /// Appends a setting to the configuration, and has the running server reload it.
  package func add(_ setting: String) throws {
    let path = "\(folder)/data/postgresql.conf"
    let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    try handle.seekToEnd()
    try handle.write(contentsOf: Data("\(setting)\n".utf8))
    try handle.close()
    _ = try sql("SELECT pg_reload_conf()")
  }

  /// Runs statements.
  ///
  /// - Returns: The values, with one line per row.
  package func sql(_ text: String, in database: String = "postgres") throws -> String {
    try run(
      "psql",
      ["-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-c", text, uri(of: database)]
    )
  }

  /// Writes a dump of a database to a file.
  package func dump(_ database: String, to file: String) throws {
    _ = try run("pg_dump", ["-f", file, uri(of: database)])
  }

  /// Runs the statements of a file.
  package func load(_ file: String, into database: String) throws {
    _ = try run("psql", ["-X", "-q", "-v", "ON_ERROR_STOP=1", "-f", file, uri(of: database)])
  }

  private func run(_ program: String, _ arguments: [String]) throws -> String {
    let process = Process()
    let (output, errors) = (Pipe(), Pipe())
    process.executableURL = URL(fileURLWithPath: "\(Self.programs ?? "")/\(program)")
    process.arguments = arguments
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    let text = try output.fileHandleForReading.readToEnd() ?? Data()
    let complaint = try errors.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Failure(text: String(decoding: complaint, as: UTF8.self))
    }
    return String(decoding: text, as: UTF8.self).trimmingCharacters(in: .newlines)
  }

  /// Returns a free port of the loopback address.
  private static func freePort() throws -> Int {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(listener) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        unsafe bind(listener, address, length) == 0 && getsockname(listener, address, &length) == 0
      }
    }
    guard isBound else { throw Failure(text: "there is no free port") }
    return Int(UInt16(bigEndian: address.sin_port))
  }

  /// A script that runs the server in the folder of the first argument.
  private static let script = """
    folder=$1 port=$2 programs=$3 source=$4; shift 4
    mkdir -p "$folder" && chmod 755 "$folder"
    as=
    if [ "$(id -u)" = 0 ]; then
      as='setpriv --reuid=nobody --regid=nogroup --clear-groups'
      chown nobody:nogroup "$folder"
    fi
    cd "$folder"
    if [ -n "$source" ]; then
      $as "$programs/pg_basebackup" -D "$folder/data" -d "$source" -R -X stream -c fast \
        --no-sync > "$folder/log" 2>&1
      rm -f "$folder/data/postmaster.pid"
    else
      $as "$programs/initdb" -D "$folder/data" -U postgres -A trust --no-sync > "$folder/log" 2>&1
    fi
    printf '%s\\n' "listen_addresses = '127.0.0.1'" "port = $port" "fsync = off" \
      "unix_socket_directories = '$folder'" "max_connections = 200" "$@" \
      >> "$folder/data/postgresql.conf"
    pid=
    while read -r command; do
      case $command in
        start)
          if [ -z "$pid" ] || ! grep -q '^State:.[^Z]' "/proc/$pid/status" 2> /dev/null; then
            $as "$programs/postgres" -D "$folder/data" >> "$folder/log" 2>&1 < /dev/null &
            pid=$!
          fi ;;
        kill)
          if [ -n "$pid" ]; then
            kill -STOP "$pid"
            kill -9 $(cat "/proc/$pid/task/$pid/children") "$pid" 2> /dev/null
            wait "$pid" 2> /dev/null
            pid=
          fi ;;
      esac
      echo
    done
    if [ -n "$pid" ]; then kill -QUIT "$pid" 2> /dev/null; wait "$pid"; fi
    cd / && rm -rf "$folder"
    """
}
