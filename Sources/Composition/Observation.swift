internal import HTTP
internal import HTTPServer
internal import TreeCluster
internal import TreeDomain
internal import TreeStorage

/// The sources of `GET /metrics`, except the metrics of trees.
struct Observation: Sendable {
  let server: ServerMetrics
  /// The account of memory, which does not count that of connections.
  let memory: MemoryAccount
  let workers: Scheduler
  let log: AccessLog?
  /// The storage; nil if trees are in memory only.
  let storage: SQLiteStorage?
  /// The slots in a database; nil if trees are not in one.
  let cluster: ClusterService?
  /// The sender of requests to other instances; nil if there is none.
  let upstream: Upstream?
  let process: ProcessMetrics

  private func writeMemory(to writer: inout MetricsWriter) {
    var bytes = memory.bytes
    bytes[.requests] = server.requestBytes
    bytes[.answers] = server.answerBytes
    bytes[.connections] = server.connectionBytes
    writer.begin("tree_server_memory_bytes", .gauge, "Bytes of memory held, by what they are for.")
    for kind in MemoryKind.allCases { writer.sample([("kind", kind.rawValue)], bytes[kind]) }
    writer.write(
      "tree_server_memory_limit_bytes",
      .gauge,
      memory.limit,
      "Bytes of memory that may be held (maxMemoryBytes)."
    )
  }

  /// Writes all metrics.
  func write(to writer: inout MetricsWriter) {
    server.write(to: &writer)
    writer.write(
      "tree_server_worker_queue_jobs",
      .gauge,
      workers.waiting,
      "Jobs that wait for a worker."
    )
    writer.write(
      "tree_server_access_log_dropped_total",
      .counter,
      log?.dropped ?? 0,
      "Lines of the access log that found no room, or could not be written."
    )
    writeMemory(to: &writer)
    storage?.sizes.write(to: &writer)
    cluster?.clusterStatistics.write(to: &writer)
    upstream?.write(to: &writer)
    process.write(to: &writer)
    writer.begin("tree_server_build_info", .gauge, "The version of the program; always 1.")
    writer.sample([("version", programVersion)], 1)
  }
}

extension StorageSizes {
  /// Writes the sizes of the files, and the free space of the disk if it is known.
  fileprivate func write(to writer: inout MetricsWriter) {
    writer.write(
      "tree_server_storage_file_bytes",
      .gauge,
      fileBytes,
      "Bytes of the database file."
    )
    writer.write(
      "tree_server_storage_log_bytes",
      .gauge,
      logBytes,
      "Bytes of the write-ahead log beside it."
    )
    guard let freeBytes else { return }
    writer.write(
      "tree_server_storage_free_bytes",
      .gauge,
      freeBytes,
      "Bytes that the disk has left."
    )
  }
}
