internal import HTTP
internal import HTTPServer
internal import TreeAPI

extension Setting {
  /// The table of settings, in the order of `Config/server.json` and `--help`.
  ///
  /// A setting is a row here, and a property with its default. Tests compare `Config/server.json`
  /// with this table.
  static let all: [Setting] = address + messages + times + trees + history + storage

  private static let address = [
    text("host", \.host, "IP address to listen on; empty to listen only on unixSocket"),
    integer("port", \.port, 0...65_535, "TCP port to listen on; 0 for any free one"),
    text("unixSocket", \.unixSocket, "path of a Unix socket to listen on; empty for none"),
    text(
      "unixSocketMode",
      \.unixSocketMode,
      "permissions of the Unix socket, as for chmod; whoever may write may connect"
    ),
    boolean(
      "allowUnauthenticatedRemote",
      \.allowUnauthenticatedRemote,
      "allow other machines to connect without keys; list the names they use in allowedHosts"
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
      "host names to accept besides localhost, separated by commas; no ports, no wildcards"
    ),
    boolean("explorer", \.api.explorer, "serve the explorer, a page for browsers, at /"),
    integer(
      "loops",
      \.server.loops,
      0...1_024,
      "number of event loops, each with its own thread; 0 for one per processor"
    ),
    integer("workers", \.workers, 1...1_024, "number of worker threads, which do large work"),
  ]

  private static let messages = [
    integer(
      "maxConnections",
      \.server.maxConnections,
      1...1_000_000,
      "maximum number of open connections"
    ),
    integer(
      "maxConnectionsPerAddress",
      \.server.maxConnectionsPerAddress,
      0...1_000_000,
      "maximum number of connections of one address, except this machine's; 0 for no limit"
    ),
    integer(
      "maxRequestsPerConnection",
      \.limits.maxRequestsPerConnection,
      1...1_000_000_000,
      "number of requests after which a connection is closed"
    ),
    integer(
      "maxBodyBytes",
      \.limits.maxBodyBytes,
      0...536_870_912,
      "maximum size of a request body in bytes, except of an import"
    ),
    integer(
      "maxImportBytes",
      \.api.maxImportBytes,
      0...1_099_511_627_776,
      "maximum size of an import in bytes"
    ),
    boolean("gzip", \.gzip, "compress answers if Accept-Encoding allows gzip"),
  ]

  private static let times = [
    seconds(
      "headerTimeoutSeconds",
      \.limits.headerTimeoutMilliseconds,
      1...3_600,
      "maximum time from the first byte of a request to the end of its header, in seconds"
    ),
    seconds(
      "bodyTimeoutSeconds",
      \.limits.bodyTimeoutMilliseconds,
      1...3_600,
      "maximum pause of a body in seconds; after this time, minBytesPerSecond applies too"
    ),
    seconds(
      "idleTimeoutSeconds",
      \.limits.idleTimeoutMilliseconds,
      1...86_400,
      "maximum time between requests in seconds; "
        + "set it longer than the proxy's timeout, which is often 60"
    ),
    seconds(
      "writeStallSeconds",
      \.limits.writeStallMilliseconds,
      1...3_600,
      "maximum stall of an answer in seconds; after this time, minBytesPerSecond applies too"
    ),
    integer(
      "minBytesPerSecond",
      \.limits.minBytesPerSecond,
      0...1_000_000_000,
      "minimum average rate of bodies and answers, in bytes per second; 0 for none"
    ),
    integer(
      "maxRequestSeconds",
      \.api.maxRequestSeconds,
      1...86_400,
      "maximum processor time of one request on the workers, in seconds"
    ),
    integer(
      "maxWaitSeconds",
      \.api.maxWaitSeconds,
      0...3_600,
      "maximum time that a request waits for changes, in seconds"
    ),
    integer(
      "heartbeatSeconds",
      \.api.heartbeatSeconds,
      1...3_600,
      "maximum time between two events or heartbeats of an event stream, in seconds"
    ),
    integer(
      "lameDuckSeconds",
      \.lameDuckSeconds,
      0...3_600,
      "seconds to keep serving after SIGTERM, while /readyz is 503; a second SIGTERM ends this"
    ),
    integer(
      "drainSeconds",
      \.drainSeconds,
      0...3_600,
      "seconds that requests may take to finish at the stop; the process ends within 2 s after"
    ),
  ]

  /// Returns a row for a setting with text.
  static func text(_ name: String, _ path: Path<String>, _ summary: String) -> Setting {
    Setting(name: name, field: .text(path), summary: summary)
  }

  /// Returns a row for a setting with an integer.
  static func integer(
    _ name: String,
    _ path: Path<Int>,
    _ range: ClosedRange<Int>,
    _ summary: String
  ) -> Setting {
    Setting(name: name, field: .integer(path, range, factor: 1), summary: summary)
  }

  /// Returns a row for a setting in seconds, which is stored in milliseconds.
  static func seconds(
    _ name: String,
    _ path: Path<Int>,
    _ range: ClosedRange<Int>,
    _ summary: String
  ) -> Setting {
    Setting(name: name, field: .integer(path, range, factor: 1_000), summary: summary)
  }

  /// Returns a row for a setting with a Boolean value.
  static func boolean(_ name: String, _ path: Path<Bool>, _ summary: String) -> Setting {
    Setting(name: name, field: .boolean(path), summary: summary)
  }
}
