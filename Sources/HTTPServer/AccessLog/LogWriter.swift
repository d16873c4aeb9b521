import Synchronization

/// What the thread of a log does: takes lines from the queue, and writes them.
final class LogWriter: Sendable {
  private let destination: AccessLog.Destination
  /// Nil where nothing has to be opened.
  ///
  /// Only the thread takes the lock, which is there to hand the file over to it.
  private let file: Mutex<FileDescriptor?>

  init(_ destination: AccessLog.Destination) throws(SystemError) {
    self.destination = destination
    file = Mutex(try Self.open(destination))
  }

  /// The file of a destination; nil for the standard error, which is open already.
  private static func open(
    _ destination: AccessLog.Destination
  ) throws(SystemError) -> FileDescriptor? {
    switch destination {
    case .standardError: nil
    case .file(let path): try Syscalls.openLog(path)
    }
  }

  /// Writes what comes until the log is stopped.
  func work(at queue: AccessLog.Queue) {
    while true {
      Syscalls.semaphoreWait(queue.available.number)
      let task = queue.contents.withLock { contents in
        defer {
          contents.bytes = []
          contents.isReopening = false
        }
        return contents
      }
      write(task.bytes, queue)
      if task.isReopening { reopen() }
      if task.isStopped { return }
    }
  }

  /// Writes lines; those that cannot be written are dropped.
  private func write(_ bytes: [UInt8], _ queue: AccessLog.Queue) {
    file.withLock { file in
      let number = if let file { file.number } else { Syscalls.standardError }
      var rest = bytes[...]
      while !rest.isEmpty {
        guard let count = Syscalls.write(number, rest) else {
          let lines = rest.count { $0 == UInt8(ascii: "\n") }
          queue.dropped.add(lines, ordering: .relaxed)
          return
        }
        rest = rest.dropFirst(count)
      }
    }
  }

  private func reopen() {
    guard let opened = try? Self.open(destination) else { return }
    file.withLock { $0 = consume opened }
  }
}
