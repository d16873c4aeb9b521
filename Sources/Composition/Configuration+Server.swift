internal import HTTP
internal import HTTPServer
internal import TreeAPI
internal import TreeCluster
internal import TreeDomain
internal import TreeSessions
internal import TreeStorage

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

  /// Returns the addresses of the service as text, given its port.
  ///
  /// An IPv6 address is in brackets (RFC 3986, 3.2.2).
  func places(port: UInt16) -> [String] {
    guard passed.isEmpty else { return passed.map(\.text) }
    let isIPv6 = host.utf8.contains(UInt8(ascii: ":"))
    let urls = host.isEmpty ? [] : ["http://\(isIPv6 ? "[\(host)]" : host):\(port)"]
    return unixSocket.isEmpty ? urls : urls + ["unix:\(unixSocket)"]
  }

  /// Makes the server, with the API of a store as its handler.
  ///
  /// It is not started.
  ///
  /// - Returns: The server, and the keys that it accepts.
  /// - Throws: ``ServerError`` if an address is invalid or in use, or if there are too few
  ///   descriptors for the loops.
  func makeServer(
    _ trees: any KeptTrees,
    _ memory: MemoryAccount,
    _ workers: Scheduler,
    _ log: AccessLog?,
    _ storage: SQLiteStorage?,
    _ upstream: Upstream?,
    _ sockets: PassedSockets?,
    _ port: consuming BoundPort?
  ) throws(ServerError) -> (server: Server, keys: KeyRing) {
    let metrics = ServerMetrics()
    let cluster = trees as? ClusterService
    let around = Observation(
      server: metrics,
      memory: memory,
      workers: workers,
      log: log,
      storage: storage,
      cluster: cluster,
      upstream: upstream,
      process: ProcessMetrics()
    )
    let api = TreeAPI(
      service: trees,
      limits: decodingLimits,
      options: apiOptions,
      memory: memory,
      observe: around.write,
      compress: gzip ? CodingOptions.compressThoroughly : nil,
      isBusy: { workers.isFull },
      clock: { SystemClock.threadNanoseconds },
      run: { workers.submit($0) }
    )
    let handler = clusterHandler(api, cluster, upstream)
    var options = serverOptions
    // Without the second one, a burst of forwarded requests could leave none for the lease.
    if upstream != nil { options.descriptorsPerConnection = 2 }
    // Two for the connection that writes to each slot, and some that read.
    if let cluster { options.otherDescriptors += 2 * cluster.slotCount + 16 }
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

  /// Returns the API, within the cluster if there is one.
  private func clusterHandler(
    _ api: TreeAPI,
    _ cluster: ClusterService?,
    _ upstream: Upstream?
  ) -> any RequestHandler {
    guard let cluster else { return api }
    guard let upstream, let secret = clusterSecret else { return OwnerGate(api, cluster) }
    let handler = ClusterHandler(
      api: api,
      placement: cluster,
      forwarder: upstream,
      secret: secret
    )
    return OwnerGate(handler, cluster)
  }

  private func warn(ofDescriptors descriptors: Int, _ options: ServerOptions) {
    let reason = options.descriptorsPerConnection > 1 ? " (two descriptors each, to forward)" : ""
    StandardStream.error.write(
      """
      tree-server: the system allows this process \(descriptors) descriptors, so that there may be \
      \(options.maxConnections) connections\(reason) instead of \(server.maxConnections); raise \
      the limit (ulimit -n) or lower maxConnections\n
      """
    )
  }
}
