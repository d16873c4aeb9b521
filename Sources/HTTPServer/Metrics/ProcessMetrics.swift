public import HTTP

/// What the system knows of this process.
public struct ProcessMetrics: Sendable {
  private let startSeconds = Syscalls.unixSeconds()

  /// Takes the time of the start, which is now.
  public init() {}

  /// Writes the figures of this moment.
  public func write(to writer: inout MetricsWriter) {
    writer.write(
      "tree_server_resident_memory_bytes",
      .gauge,
      Syscalls.residentBytes(),
      "Memory of the process that is resident."
    )
    writer.write(
      "tree_server_start_time_seconds",
      .gauge,
      startSeconds,
      "When the process started, in seconds since 1970."
    )
  }
}
