package import HTTP

/// The metrics of this process that the system provides, with Prometheus' standard names.
package struct ProcessMetrics: Sendable {
  private let startSeconds = Syscalls.unixSeconds()

  /// Records the current time as the start time.
  package init() {}

  /// Writes the current metrics.
  ///
  /// - Parameter writer: The destination.
  package func write(to writer: inout MetricsWriter) {
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
