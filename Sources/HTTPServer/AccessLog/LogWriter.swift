import Synchronization

/// The work of an access log's thread: takes lines from the queue and writes them.
struct LogWriter: Sendable {
  /// An open file, which is closed with its last reference.
  private final class File: Sendable {
    let descriptor: FileDescriptor

    init(_ path: String) throws(SystemError) { descriptor = try Syscalls.openLog(path) }
  }

  private let destination: AccessLog.Destination
  /// The open file; nil for the standard error stream.
  private var file: File?

  init(_ destination: AccessLog.Destination) throws(SystemError) {
    self.destination = destination
    if case .file(let path) = destination { file = try File(path) }
  }

  /// Writes lines until the log is stopped.
  mutating func work(at queue: AccessLog.Queue) {
    while true {
      Syscalls.semaphoreWait(queue.available.number)
      let task = queue.contents.withLock { contents in
        defer {
          contents.bytes = []
          contents.isReopening = false
        }
        return contents
      }
      let unwritten = write(task.bytes)
      queue.dropped.add(unwritten.count { $0 == UInt8(ascii: "\n") }, ordering: .relaxed)
      if task.isReopening { reopen() }
      if task.isStopped { return }
    }
  }

  /// Writes lines and returns the bytes that could not be written.
  private func write(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
    let number = file?.descriptor.number ?? Syscalls.standardError
    var rest = bytes[...]
    while !rest.isEmpty, let count = Syscalls.write(number, rest) { rest = rest.dropFirst(count) }
    return rest
  }

  /// Replaces the file with a newly opened one, if that succeeds.
  private mutating func reopen() {
    guard case .file(let path) = destination, let opened = try? File(path) else { return }
    file = opened
  }
}
