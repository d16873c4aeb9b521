import Synchronization

/// What the thread of a log does: takes lines from the queue, and writes them.
struct LogWriter: Sendable {
  /// An open file, which is closed when nobody writes to it any more.
  private final class File: Sendable {
    let descriptor: FileDescriptor

    init(_ path: String) throws(SystemError) { descriptor = try Syscalls.openLog(path) }
  }

  private let destination: AccessLog.Destination
  /// Nil for the standard error, which is open already.
  private var file: File?

  init(_ destination: AccessLog.Destination) throws(SystemError) {
    self.destination = destination
    if case .file(let path) = destination { file = try File(path) }
  }

  /// Writes what comes until the log is stopped.
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

  /// Writes lines, and returns what cannot be written.
  private func write(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
    let number = file?.descriptor.number ?? Syscalls.standardError
    var rest = bytes[...]
    while !rest.isEmpty, let count = Syscalls.write(number, rest) { rest = rest.dropFirst(count) }
    return rest
  }

  /// Goes on with a new file, if it can be opened.
  private mutating func reopen() {
    guard case .file(let path) = destination, let opened = try? File(path) else { return }
    file = opened
  }
}
