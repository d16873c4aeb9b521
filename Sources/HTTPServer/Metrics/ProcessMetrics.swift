public import HTTP

/// The figures of this process that the system keeps, under the names that the client libraries of
/// Prometheus give them.
public struct ProcessMetrics: Sendable {
  private let startSeconds = Syscalls.unixSeconds()

  /// Takes the time of the start, which is now.
  public init() {}

  /// Writes the figures of this moment.
  ///
  /// - Parameter writer: Where they go.
  public func write(to writer: inout MetricsWriter) {
    writer.write(
      "process_cpu_seconds_total",
      .counter,
      nanoseconds: Syscalls.processorNanoseconds(),
      "Processor time that the process has used, in user and system mode."
    )
    writer.write(
      "process_open_fds",
      .gauge,
      Syscalls.openDescriptorCount(),
      "Descriptors that are open."
    )
    writer.write(
      "process_max_fds",
      .gauge,
      Syscalls.maxDescriptorCount(),
      "Descriptors that the system allows the process."
    )
    let memory = Syscalls.memory()
    writer.write(
      "process_virtual_memory_bytes",
      .gauge,
      memory.virtualBytes,
      "Memory that the process has addresses for."
    )
    writer.write(
      "process_resident_memory_bytes",
      .gauge,
      memory.residentBytes,
      "Memory of the process that is resident."
    )
    writer.write(
      "process_start_time_seconds",
      .gauge,
      startSeconds,
      "Time when the process started, in seconds since 1970."
    )
  }
}
