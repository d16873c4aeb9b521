internal import HTTP
internal import HTTPServer
internal import TreeAPI
internal import TreeDomain
internal import TreeSessions
internal import TreeStorage

extension Configuration {
  /// What one connection may take, for the HTTP layer.
  var limits: Limits {
    var limits = Limits()
    limits.maxRequestLineBytes = maxRequestLineBytes
    limits.maxHeaderBytes = maxHeaderBytes
    limits.maxHeaderFields = maxHeaderFields
    limits.maxBodyBytes = maxBodyBytes
    limits.maxUnreadBytes = maxUnreadBytes
    limits.maxChunkOverheadBytes = maxChunkOverheadBytes
    limits.headerTimeoutMilliseconds = headerTimeoutSeconds * 1_000
    limits.idleTimeoutMilliseconds = idleTimeoutSeconds * 1_000
    limits.bodyTimeoutMilliseconds = bodyTimeoutSeconds * 1_000
    limits.minBodyBytesPerSecond = minBodyBytesPerSecond
    limits.handlerTimeoutMilliseconds = handlerTimeoutSeconds * 1_000
    limits.writeStallMilliseconds = writeStallSeconds * 1_000
    limits.minAnswerBytesPerSecond = minAnswerBytesPerSecond
    limits.lingerMilliseconds = lingerSeconds * 1_000
    limits.maxLingerBytes = maxLingerBytes
    limits.maxRequestsPerConnection = maxRequestsPerConnection
    return limits
  }

  /// Where and how the server listens.
  ///
  /// - Precondition: The port lies in the range of its setting.
  var serverOptions: ServerOptions {
    var options = ServerOptions()
    options.host = host
    options.port = UInt16(port)
    options.localSocket = localSocket
    options.loops = loops
    options.maxConnections = maxConnections
    options.maxConnectionsPerAddress = maxConnectionsPerAddress
    options.maxRefusedCredentialsPerAddress = maxRefusedCredentialsPerAddress
    let share = maxMemoryBytes > 0 ? maxMemoryBytes / 4 : .max
    options.maxBufferedBytes = min(maxBufferedBytes, share)
    options.acceptBacklog = acceptBacklog
    options.hosts = hostRule
    options.maxSpinMicroseconds = maxSpinMicroseconds
    return options
  }

  /// Which answers are compressed; those that are long by these workers.
  func codingOptions(_ workers: Scheduler) -> CodingOptions? {
    guard gzip else { return nil }
    var options = CodingOptions()
    options.policy.minBytes = gzipMinBytes
    options.heavyBytes = gzipHeavyBytes
    options.run = { workers.submit($0) }
    return options
  }

  /// Which hosts requests may name; nil for the rule that goes without saying.
  ///
  /// Credentials are what a page under a rebound name has not. Where none are asked for, it is
  /// refused by its name, wherever the service listens: whoever can reach it may have a browser.
  var hostRule: HostRule? {
    if keys.isEmpty, !isLoopback { return .addresses(and: hostNames) }
    return hostNames.isEmpty ? nil : .loopback(and: hostNames)
  }

  /// The names of `allowedHosts`.
  var hostNames: [String] {
    allowedHosts.split(separator: ",").map { $0.filter { $0 != " " } }.filter { !$0.isEmpty }
  }

  /// The Unix socket to listen on; nil where there is none, or none like that.
  var localSocket: LocalSocket? {
    guard let mode = UInt32(unixSocketMode, radix: 8), mode <= 0o777 else { return nil }
    return LocalSocket(path: unixSocket, mode: mode)
  }

  /// Where the service is reached, given the port it has taken; an IPv6 address stands in brackets
  /// (RFC 3986, 3.2.2).
  func places(port: UInt16) -> [String] {
    guard passed.isEmpty else { return passed.map(\.text) }
    let isIPv6 = host.utf8.contains(UInt8(ascii: ":"))
    let urls = host.isEmpty ? [] : ["http://\(isIPv6 ? "[\(host)]" : host):\(port)"]
    return unixSocket.isEmpty ? urls : urls + ["unix:\(unixSocket)"]
  }

  /// Makes the server, with the API over a store before it; it is not started.
  ///
  /// - Returns: The server, and the keys that it asks for.
  /// - Throws: ``ServerError`` where an address is none, or is taken, or the loops have no room.
  func makeServer(
    _ store: SessionStore,
    _ memory: MemoryAccount,
    _ workers: Scheduler,
    _ log: AccessLog?,
    _ storage: SQLiteStorage?,
    _ database: PostgreSQLStorage?,
    _ sockets: PassedSockets?,
    _ port: consuming BoundPort?
  ) throws(ServerError) -> (server: Server, keys: KeyRing) {
    let metrics = ServerMetrics()
    let around = Observation(
      server: metrics,
      memory: memory,
      workers: workers,
      log: log,
      storage: storage,
      process: ProcessMetrics()
    )
    let api = TreeAPI(
      service: store,
      limits: decodingLimits,
      options: apiOptions,
      memory: memory,
      observe: around.write,
      compress: gzip ? CodingOptions.compressThoroughly : nil,
      isBusy: { workers.isFull },
      run: { workers.submit($0) }
    )
    let handler: any RequestHandler = database.map { OwnerGate(api, $0) } ?? api
    var options = serverOptions
    if let descriptors = try options.fitDescriptors() { warn(ofDescriptors: descriptors, options) }
    options.coding = codingOptions(workers)
    options.passed = sockets
    let server = try Server(
      options: options,
      limits: limits,
      handler: handler,
      port: port,
      metrics: metrics,
      log: log
    )
    return (server, api.keys)
  }

  private func warn(ofDescriptors descriptors: Int, _ options: ServerOptions) {
    StandardStream.error.write(
      """
      tree-server: the system allows this process \(descriptors) descriptors, so that there may be \
      \(options.maxConnections) connections instead of \(maxConnections); raise the limit \
      (ulimit -n) or lower maxConnections\n
      """
    )
  }
}
