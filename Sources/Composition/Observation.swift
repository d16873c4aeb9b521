internal import HTTP
internal import HTTPServer

/// What `GET /metrics` tells beside the figures of the trees.
struct Observation: Sendable {
  /// The version of the program, which is that of `openapi.yaml`.
  static let version = "0.1.0"

  let server: ServerMetrics
  let workers: WorkerPool
  let log: AccessLog?
  let process: ProcessMetrics

  /// Writes all of it.
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
    process.write(to: &writer)
    writer.begin("tree_server_build_info", .gauge, "The version of the program; always 1.")
    writer.sample([("version", Self.version)], 1)
  }
}
