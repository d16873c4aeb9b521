internal import HTTP
internal import HTTPServer
internal import TreeAPI
internal import TreeCluster
internal import TreeDomain
internal import TreeSessions
internal import TreeStorage

extension ServiceAssembly {
  /// Makes the server without starting it.
  ///
  /// Its handler is the API; in a cluster, requests pass through the cluster's handlers first.
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
      limits: configuration.decodingLimits,
      options: configuration.apiOptions,
      memory: memory,
      observe: around.write,
      compress: configuration.gzip ? CodingOptions.compressThoroughly : nil,
      isBusy: { workers.isFull },
      clock: { SystemClock.threadNanoseconds },
      run: { workers.submit($0) }
    )
    let handler = clusterHandler(api, cluster, upstream)
    var options = configuration.serverOptions
    // Without the second one, a burst of forwarded requests could leave none for the lease.
    if upstream != nil { options.descriptorsPerConnection = 2 }
    // Two for the connection that writes to each slot, and some that read.
    if let cluster { options.otherDescriptors += 2 * cluster.slotCount + 16 }
    if let descriptors = try options.fitDescriptors() { warn(ofDescriptors: descriptors, options) }
    options.coding = configuration.codingOptions(workers)
    options.passed = sockets
    let server = try Server(
      options: options,
      limits: configuration.limits,
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
    guard let upstream, let secret = configuration.clusterSecret else {
      return OwnerGate(api, cluster)
    }
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
    let most = configuration.server.maxConnections
    StandardStream.error.write(
      """
      tree-server: the system allows this process \(descriptors) descriptors, so that there may be \
      \(options.maxConnections) connections\(reason) instead of \(most); raise \
      the limit (ulimit -n) or lower maxConnections\n
      """
    )
  }
}
