internal import HTTP
internal import HTTPServer
internal import TreeAPI
internal import TreeDomain
internal import TreeEngine
internal import TreeSessions
internal import TreeStorage

// The options of modules that follow from the settings.
extension Configuration {
  /// The options of the server.
  ///
  /// - Precondition: The port is in the range of its setting.
  var serverOptions: ServerOptions {
    var options = server
    options.host = host
    options.port = UInt16(port)
    options.localSocket = localSocket
    let share = trees.maxMemoryBytes > 0 ? trees.maxMemoryBytes / 4 : .max
    options.maxBufferedBytes = min(server.maxBufferedBytes, share)
    options.hosts = hostRule
    return options
  }

  /// Returns the options of compression, with workers for long answers; nil if compression is off.
  func codingOptions(_ workers: Scheduler) -> CodingOptions? {
    guard gzip else { return nil }
    var options = CodingOptions()
    options.run = { workers.submit($0) }
    return options
  }

  /// The hosts that requests may name; nil for the rule of the HTTP layer.
  ///
  /// Without keys, a web page under a rebound DNS name is refused by its host name, on every
  /// address, because any client may be a browser. With keys, such a page lacks credentials.
  var hostRule: HostRule? {
    if keys.isEmpty, !isLoopback { return .addresses(and: hostNames) }
    return hostNames.isEmpty ? nil : .loopback(and: hostNames)
  }

  /// The names in `allowedHosts`.
  var hostNames: [String] {
    allowedHosts.split(separator: ",").map { $0.filter { $0 != " " } }.filter { !$0.isEmpty }
  }

  /// The Unix socket to listen on; nil if there is none, or if its path or mode is invalid.
  var localSocket: LocalSocket? {
    guard let mode = UInt32(unixSocketMode, radix: 8), mode <= 0o777 else { return nil }
    return LocalSocket(path: unixSocket, mode: mode)
  }

  /// The limits of decoding a request body.
  var decodingLimits: DecodingLimits {
    var limits = decoding
    limits.maxObjectBytes = trees.maxObjectBytes
    return limits
  }

  /// The options of the API.
  var apiOptions: TreeAPIOptions {
    var options = api
    options.maxBodyBytes = limits.maxBodyBytes
    options.maxUnreadBytes = limits.maxUnreadBytes
    options.maxImportNodes = trees.maxNodesPerTree
    options.keys = keys
    options.origins = origins
    return options
  }

  /// The limits of trees and sessions.
  ///
  /// Some are shares or multiples of settings.
  var sessionLimits: SessionLimits {
    var limits = trees
    if limits.maxMemoryBytes == 0 { limits.maxMemoryBytes = SessionLimits().maxMemoryBytes }
    limits.maxWaitingCallsPerTree = limits.maxWaitingCalls / 4
    limits.maxFollowersPerSession = limits.maxFollowers / 4
    limits.maxQueuedEventBytes = limits.maxQueuedEvents * 4_096
    limits.history.totalRows = limits.history.rows * 50
    limits.history.removedNodes = limits.history.rows * 5
    limits.history.readings = limits.history.rows * 5
    limits.history.listedRows = limits.history.rows / 20
    return limits
  }

  /// Returns the configuration with the memory limit of this process if none is set.
  func limitingMemory(to limit: MemoryLimit) -> Configuration {
    var configuration = self
    if trees.maxMemoryBytes == 0 { configuration.trees.maxMemoryBytes = limit.share }
    return configuration
  }
}

// The places of the service and of its storage.
extension Configuration {
  /// Returns the addresses of the service as text, given its port.
  ///
  /// An IPv6 address is in brackets (RFC 3986, 3.2.2).
  func places(port: UInt16) -> [String] {
    guard passed.isEmpty else { return passed.map(\.text) }
    let isIPv6 = host.utf8.contains(UInt8(ascii: ":"))
    let urls = host.isEmpty ? [] : ["http://\(isIPv6 ? "[\(host)]" : host):\(port)"]
    return unixSocket.isEmpty ? urls : urls + ["unix:\(unixSocket)"]
  }

  /// A warning for the operator if passed sockets replace settings that were given; otherwise nil.
  var passedSocketsWarning: String? {
    let defaults = Configuration()
    let isGiven =
      host != defaults.host || port != defaults.port || unixSocket != defaults.unixSocket
    guard !passed.isEmpty, isGiven else { return nil }
    return "the service manager passes sockets; host, port and unixSocket are not used"
  }

  /// True if trees and sessions are in a database.
  var isDatabase: Bool { PostgreSQLStorage.isAddress(storage) }

  /// The storage without the password of a database.
  var shownStorage: String { PostgreSQLStorage.masked(storage) }

  /// The place of what is stored, for messages: a file, or a database without its password.
  var storagePlace: String {
    isDatabase ? shownStorage : "\(data)/\(SQLiteStorage.fileName)"
  }
}
