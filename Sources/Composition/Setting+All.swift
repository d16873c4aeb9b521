extension Setting {
  /// The table of settings, in the order of `Config/server.json` and `--help`.
  ///
  /// To add a setting, add a property to ``Configuration`` and a row here. Tests compare
  /// `Config/server.json` with this table.
  static let all: [Setting] =
    address + messages + times + trees + memory + storage
    + observing

  private static let address = [
    text("host", \.host, "IP address to listen on; empty: only on unixSocket"),
    integer("port", \.port, 0...65_535, "TCP port to listen on; 0 takes a free one"),
    text("unixSocket", \.unixSocket, "path of a Unix socket to listen on; empty: there is none"),
    text(
      "unixSocketMode",
      \.unixSocketMode,
      "who may connect to the Unix socket, as chmod takes it"
    ),
    integer("loops", \.loops, 0...1_024, "event loops, one thread each; 0 = one a core"),
    integer("workers", \.workers, 1...1_024, "threads for work that would hold up a loop"),
    integer(
      "workerNiceness",
      \.workerNiceness,
      0...19,
      "niceness of the workers, by which they stand back behind the loops; see nice(2)"
    ),
    integer("maxWaitingJobs", \.maxWaitingJobs, 1...1_000_000, "jobs that may wait for a worker"),
    integer(
      "maxWaitingCalls",
      \.maxWaitingCalls,
      1...1_000_000,
      "requests that may wait for trees that are worked on, all together"
    ),
    integer(
      "maxWaitingCallsPerTree",
      \.maxWaitingCallsPerTree,
      1...1_000_000,
      "requests that may wait for one tree that is worked on"
    ),
    integer(
      "maxRequestSeconds",
      \.maxRequestSeconds,
      1...86_400,
      "seconds of processor time that the work of one request may take on the workers"
    ),
    integer(
      "maxSpinMicroseconds",
      \.maxSpinMicroseconds,
      0...1_000_000,
      "microseconds a thread polls for a commit before sleeping; at most 50 for a request; 0 = none"
    ),
    boolean(
      "allowUnauthenticatedRemote",
      \.allowUnauthenticatedRemote,
      "allow a host that other machines can reach, though there are no keys; see allowedHosts"
    ),
    text(
      "keysFile",
      \.keysFile,
      "file of keys, id:secret or id:secret:scopes a line, read anew by SIGHUP; empty: none"
    ),
    text(
      "corsOrigins",
      \.corsOrigins,
      "origins whose web pages may use the service, as https://app.example, commas between them"
    ),
    text(
      "allowedHosts",
      \.allowedHosts,
      "names that it answers to beside localhost, without port and *, commas between them"
    ),
    boolean("explorer", \.explorer, "serve the explorer, a page for browsers, at /"),
  ]

  private static let messages = [
    integer("maxConnections", \.maxConnections, 1...1_000_000, "connections open at once"),
    integer(
      "maxConnectionsPerAddress",
      \.maxConnectionsPerAddress,
      0...1_000_000,
      "connections open at once from one address that is not this machine's; 0 = any number"
    ),
    integer(
      "maxRefusedCredentialsPerAddress",
      \.maxRefusedCredentialsPerAddress,
      0...1_000_000,
      "credentials refused in a minute to one address that is not this machine's; 0 = any number"
    ),
    integer(
      "acceptBacklog",
      \.acceptBacklog,
      1...65_535,
      "connections that may wait to be accepted, for each loop"
    ),
    integer(
      "maxRequestsPerConnection",
      \.maxRequestsPerConnection,
      1...1_000_000_000,
      "requests after which a connection is closed"
    ),
    integer(
      "maxRequestLineBytes",
      \.maxRequestLineBytes,
      128...1_048_576,
      "bytes of a request line; 8000 are the least RFC 9112 recommends"
    ),
    integer("maxHeaderBytes", \.maxHeaderBytes, 256...16_777_216, "bytes of a header section"),
    integer("maxHeaderFields", \.maxHeaderFields, 1...10_000, "field lines of a header section"),
    integer(
      "maxChunkOverheadBytes",
      \.maxChunkOverheadBytes,
      64...1_048_576,
      "bytes of chunk extensions and trailers in one body"
    ),
    integer("maxBodyBytes", \.maxBodyBytes, 0...536_870_912, "bytes of a request body"),
    integer(
      "maxImportBytes",
      \.maxImportBytes,
      0...1_099_511_627_776,
      "bytes of an import, which is read as it comes"
    ),
    integer(
      "maxHeldImportBytes",
      \.maxHeldImportBytes,
      0...1_099_511_627_776,
      "bytes of all imports that have come and are not brought in yet"
    ),
    integer(
      "heavyBodyBytes",
      \.heavyBodyBytes,
      0...2_147_483_647,
      "bytes a request body may have to be worked at by the loop itself"
    ),
    integer(
      "maxUnreadBytes",
      \.maxUnreadBytes,
      0...2_147_483_647,
      "bytes of a body nobody reads that may pass, so that the connection can go on"
    ),
    integer(
      "maxBufferedBytes",
      \.maxBufferedBytes,
      65_536...1_099_511_627_776,
      "bytes held of all requests that are not answered and all answers that are not sent"
    ),
    integer(
      "maxLingerBytes",
      \.maxLingerBytes,
      0...1_099_511_627_776,
      "bytes a closing connection is still read for, so that the last answer arrives"
    ),
    boolean("gzip", \.gzip, "compress answers for clients whose Accept-Encoding allows gzip"),
    integer(
      "gzipMinBytes",
      \.gzipMinBytes,
      1...1_073_741_824,
      "bytes of content from which it is compressed; streams are always"
    ),
    integer(
      "gzipHeavyBytes",
      \.gzipHeavyBytes,
      0...1_073_741_824,
      "bytes of content that the loop itself compresses"
    ),
  ]

  private static let times = [
    integer(
      "headerTimeoutSeconds",
      \.headerTimeoutSeconds,
      1...3_600,
      "seconds from the first byte of a request to the end of its header section"
    ),
    integer(
      "bodyTimeoutSeconds",
      \.bodyTimeoutSeconds,
      1...3_600,
      "seconds a body may take before its rate is looked at"
    ),
    integer(
      "minBodyBytesPerSecond",
      \.minBodyBytesPerSecond,
      0...1_000_000_000,
      "bytes a second a body must come in with after bodyTimeoutSeconds; 0 = any rate"
    ),
    integer(
      "idleTimeoutSeconds",
      \.idleTimeoutSeconds,
      1...86_400,
      "seconds a connection may wait between requests; more than a proxy keeps it, often 60"
    ),
    integer(
      "handlerTimeoutSeconds",
      \.handlerTimeoutSeconds,
      1...86_400,
      "seconds an answer may be worked at until it begins; a change that has begun is waited for"
    ),
    integer(
      "writeStallSeconds",
      \.writeStallSeconds,
      1...3_600,
      "seconds an answer may go without the client taking a byte of it"
    ),
    integer(
      "minAnswerBytesPerSecond",
      \.minAnswerBytesPerSecond,
      0...1_000_000_000,
      "bytes a second an answer must be taken with after writeStallSeconds; 0 = any rate"
    ),
    integer(
      "lingerSeconds",
      \.lingerSeconds,
      0...3_600,
      "seconds a closing connection is still read for"
    ),
    integer(
      "lameDuckSeconds",
      \.lameDuckSeconds,
      0...3_600,
      "seconds readyz says 503 while all is served, before the service stops; SIGTERM ends them"
    ),
    integer(
      "drainSeconds",
      \.drainSeconds,
      0...3_600,
      "seconds that requests under way are given when the service stops; two more at most end it"
    ),
    integer(
      "maxWaitSeconds",
      \.maxWaitSeconds,
      0...3_600,
      "seconds a request for changes may be held; handlerTimeoutSeconds does not count then"
    ),
    integer(
      "heartbeatSeconds",
      \.heartbeatSeconds,
      1...3_600,
      "seconds a stream of events is silent at most"
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
