extension Setting {
  /// The table of settings, in the order of `Config/server.json` and `--help`.
  ///
  /// To add a setting, add a property to ``Configuration`` and a row here. Tests compare
  /// `Config/server.json` with this table.
  static let all: [Setting] =
    address + messages + times + trees + memory + storage
    + observing

  private static let address = [
    text("host", \.host, "IP address to listen on; empty to listen only on unixSocket"),
    integer("port", \.port, 0...65_535, "TCP port to listen on; 0 for any free one"),
    text("unixSocket", \.unixSocket, "path of a Unix socket to listen on; empty for none"),
    text(
      "unixSocketMode",
      \.unixSocketMode,
      "permissions of the Unix socket, as for chmod; write permission lets others connect"
    ),
    integer(
      "loops",
      \.loops,
      0...1_024,
      "number of event loops, each with its own thread; 0 for one per processor"
    ),
    integer("workers", \.workers, 1...1_024, "number of worker threads, which do large work"),
    integer(
      "workerNiceness",
      \.workerNiceness,
      0...19,
      "niceness of the worker threads, so that event loops have priority; see nice(2)"
    ),
    integer(
      "maxWaitingJobs",
      \.maxWaitingJobs,
      1...1_000_000,
      "maximum number of jobs that wait for a worker"
    ),
    integer(
      "maxWaitingCalls",
      \.maxWaitingCalls,
      1...1_000_000,
      "maximum number of requests that wait for busy trees"
    ),
    integer(
      "maxWaitingCallsPerTree",
      \.maxWaitingCallsPerTree,
      1...1_000_000,
      "maximum number of requests that wait for one busy tree"
    ),
    integer(
      "maxRequestSeconds",
      \.maxRequestSeconds,
      1...86_400,
      "maximum processor time of one request on the workers, in seconds"
    ),
    integer(
      "maxSpinMicroseconds",
      \.maxSpinMicroseconds,
      0...1_000_000,
      "maximum time that a thread polls for a commit before it sleeps; 0 to sleep at once"
    ),
    boolean(
      "allowUnauthenticatedRemote",
      \.allowUnauthenticatedRemote,
      "allow other machines to connect without keys; see allowedHosts"
    ),
    text(
      "keysFile",
      \.keysFile,
      "file of API keys, one id:secret or id:secret:scopes per line; SIGHUP reads it again"
    ),
    text(
      "corsOrigins",
      \.corsOrigins,
      "web origins that may use the service, such as https://app.example, separated by commas"
    ),
    text(
      "allowedHosts",
      \.allowedHosts,
      "host names to accept besides localhost, without port and *, separated by commas"
    ),
    boolean("explorer", \.explorer, "serve the explorer, a page for browsers, at /"),
  ]

  private static let messages = [
    integer(
      "maxConnections",
      \.maxConnections,
      1...1_000_000,
      "maximum number of open connections"
    ),
    integer(
      "maxConnectionsPerAddress",
      \.maxConnectionsPerAddress,
      0...1_000_000,
      "maximum number of connections of one address, except this machine's; 0 for no limit"
    ),
    integer(
      "maxRefusedCredentialsPerAddress",
      \.maxRefusedCredentialsPerAddress,
      0...1_000_000,
      "maximum number of refused credentials of one remote address per minute; 0 for no limit"
    ),
    integer(
      "acceptBacklog",
      \.acceptBacklog,
      1...65_535,
      "maximum number of connections that wait to be accepted, for each event loop"
    ),
    integer(
      "maxRequestsPerConnection",
      \.maxRequestsPerConnection,
      1...1_000_000_000,
      "number of requests after which a connection is closed"
    ),
    integer(
      "maxRequestLineBytes",
      \.maxRequestLineBytes,
      128...1_048_576,
      "maximum length of a request line in bytes; RFC 9112 recommends at least 8000"
    ),
    integer(
      "maxHeaderBytes",
      \.maxHeaderBytes,
      256...16_777_216,
      "maximum size of the header section in bytes"
    ),
    integer("maxHeaderFields", \.maxHeaderFields, 1...10_000, "maximum number of header fields"),
    integer(
      "maxChunkOverheadBytes",
      \.maxChunkOverheadBytes,
      64...1_048_576,
      "maximum size of chunk extensions and trailers of one body in bytes"
    ),
    integer(
      "maxBodyBytes",
      \.maxBodyBytes,
      0...536_870_912,
      "maximum size of a request body in bytes, except of an import"
    ),
    integer(
      "maxImportBytes",
      \.maxImportBytes,
      0...1_099_511_627_776,
      "maximum size of an import in bytes"
    ),
    integer(
      "maxHeldImportBytes",
      \.maxHeldImportBytes,
      0...1_099_511_627_776,
      "maximum size of all imports that are received but not applied yet, in bytes"
    ),
    integer(
      "heavyBodyBytes",
      \.heavyBodyBytes,
      0...2_147_483_647,
      "size in bytes above which a worker decodes a request body"
    ),
    integer(
      "maxUnreadBytes",
      \.maxUnreadBytes,
      0...2_147_483_647,
      "maximum size of an unwanted body that is discarded to keep the connection, in bytes"
    ),
    integer(
      "maxBufferedBytes",
      \.maxBufferedBytes,
      65_536...1_099_511_627_776,
      "maximum memory of all unanswered requests and unsent answers in bytes"
    ),
    integer(
      "maxLingerBytes",
      \.maxLingerBytes,
      0...1_099_511_627_776,
      "maximum input to discard from a closing connection in bytes, so that the answer arrives"
    ),
    boolean("gzip", \.gzip, "compress answers if Accept-Encoding allows gzip"),
    integer(
      "gzipMinBytes",
      \.gzipMinBytes,
      1...1_073_741_824,
      "minimum size of compressed answers in bytes; streams are compressed at any size"
    ),
    integer(
      "gzipHeavyBytes",
      \.gzipHeavyBytes,
      0...1_073_741_824,
      "size in bytes above which a worker compresses an answer"
    ),
  ]

  private static let times = [
    integer(
      "headerTimeoutSeconds",
      \.headerTimeoutSeconds,
      1...3_600,
      "maximum time from the first byte of a request to the end of its header, in seconds"
    ),
    integer(
      "bodyTimeoutSeconds",
      \.bodyTimeoutSeconds,
      1...3_600,
      "time in seconds after which minBodyBytesPerSecond applies to a body"
    ),
    integer(
      "minBodyBytesPerSecond",
      \.minBodyBytesPerSecond,
      0...1_000_000_000,
      "minimum average rate of a body after bodyTimeoutSeconds; 0 for none"
    ),
    integer(
      "idleTimeoutSeconds",
      \.idleTimeoutSeconds,
      1...86_400,
      "maximum time between requests in seconds; should exceed that of a proxy, often 60"
    ),
    integer(
      "handlerTimeoutSeconds",
      \.handlerTimeoutSeconds,
      1...86_400,
      "maximum time until an answer begins in seconds; a change in progress is not cut off"
    ),
    integer(
      "writeStallSeconds",
      \.writeStallSeconds,
      1...3_600,
      "maximum time that a client accepts no byte of an answer, in seconds"
    ),
    integer(
      "minAnswerBytesPerSecond",
      \.minAnswerBytesPerSecond,
      0...1_000_000_000,
      "minimum average rate of an answer after writeStallSeconds; 0 for none"
    ),
    integer(
      "lingerSeconds",
      \.lingerSeconds,
      0...3_600,
      "maximum time to read from a closing connection in seconds"
    ),
    integer(
      "lameDuckSeconds",
      \.lameDuckSeconds,
      0...3_600,
      "time from SIGTERM to the stop in seconds, with /readyz at 503; SIGTERM again ends it"
    ),
    integer(
      "drainSeconds",
      \.drainSeconds,
      0...3_600,
      "maximum time to finish requests at the stop in seconds; the process ends at most 2 s later"
    ),
    integer(
      "maxWaitSeconds",
      \.maxWaitSeconds,
      0...3_600,
      "maximum time that a request waits for changes in seconds; handlerTimeoutSeconds is ignored"
    ),
    integer(
      "heartbeatSeconds",
      \.heartbeatSeconds,
      1...3_600,
      "maximum time between two events or heartbeats of an event stream, in seconds"
    ),
  ]

  /// Returns a row for a setting with text.
  static func text(
    _ name: String,
    _ path: Path<String>,
    _ summary: String
  ) -> Setting {
    Setting(name: name, field: .text(path), summary: summary)
  }

  /// Returns a row for a setting with an integer.
  static func integer(
    _ name: String,
    _ path: Path<Int>,
    _ range: ClosedRange<Int>,
    _ summary: String
  ) -> Setting {
    Setting(name: name, field: .integer(path, range), summary: summary)
  }

  /// Returns a row for a setting with a Boolean value.
  static func boolean(
    _ name: String,
    _ path: Path<Bool>,
    _ summary: String
  ) -> Setting {
    Setting(name: name, field: .boolean(path), summary: summary)
  }
}
