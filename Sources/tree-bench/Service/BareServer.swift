import Glibc
import HTTPServer
import Synchronization

/// The least work that a server can do for durable changes.
///
/// It takes whatever arrives on a connection for a request. SQLite stores as many bytes as the
/// service would, for all pending requests together. All requests get the same answer.
///
/// It parses nothing and has no trees. Its rate, compared with that without storage, shows what a
/// machine allows for changes that wait for its disk.
final class BareServer: Sendable {
  private let listener = ListeningSocket()
  private let wakeup = Wakeup()
  private let loop: WorkerPool
  private let writer: WorkerPool
  /// The database; nil if nothing is stored.
  ///
  /// The lock is held for a commit, by the one thread that commits.
  private let database: Mutex<RawDatabase?>
  private let keeps: Bool
  /// The pending connections.
  ///
  /// The lock is held while a few of them are added or removed.
  private let contents = Mutex(Contents())

  private struct Contents {
    /// The connections whose requests must be stored, and those whose requests are stored.
    var waiting: [Int32] = []
    var kept: [Int32] = []
    var isWriting = false
    var isStopped = false
  }

  /// Starts the server.
  ///
  /// - Parameter database: The database for the requests; nil to store nothing.
  init(_ database: consuming sending RawDatabase? = nil) {
    keeps = database != nil
    self.database = Mutex(database)
    do {
      loop = try WorkerPool(threads: 1, maxQueued: 1)
      writer = try WorkerPool(threads: 1, maxQueued: 1, maxSpinMicroseconds: 500)
    } catch {
      preconditionFailure("a benchmark's server does not start: \(error)")
    }
    loop.assign { [unowned self] in serve() }
  }

  deinit {
    contents.withLock { $0.isStopped = true }
    wakeup.signal()
    loop.stop()
    writer.stop()
  }

  /// The port on which it listens.
  var port: UInt16 { listener.port }

  // MARK: The loop

  private func serve() {
    let events = SocketEvents(capacity: 256)
    events.add(listener.descriptor, as: Int(listener.descriptor))
    events.add(wakeup.descriptor, as: Int(wakeup.descriptor))
    var connections: Set<Int32> = []
    while !contents.withLock({ $0.isStopped }) {
      events.waitBriefly()
      var asking: [Int32] = []
      for descriptor in events.ready.map({ Int32($0) }) {
        if descriptor == listener.descriptor {
          connections.insert(accept(for: events))
        } else if descriptor == wakeup.descriptor {
          answerKept()
        } else if listener.takeRequest(from: descriptor) {
          asking.append(descriptor)
        } else {
          connections.remove(descriptor)
          close(descriptor)
        }
      }
      if keeps {
        keep(asking)
      } else {
        for descriptor in asking { listener.send(Self.response, to: descriptor) }
      }
    }
    for descriptor in connections { close(descriptor) }
  }

  private func accept(for events: SocketEvents) -> Int32 {
    let descriptor = listener.accept()
    events.add(descriptor, as: Int(descriptor))
    return descriptor
  }

  private func answerKept() {
    wakeup.clear()
    let kept = contents.withLock { contents in
      defer { contents.kept.removeAll() }
      return contents.kept
    }
    for descriptor in kept { listener.send(Self.response, to: descriptor) }
  }

  /// Queues requests to be stored, and starts the writer thread if it is idle.
  private func keep(_ asking: [Int32]) {
    guard !asking.isEmpty else { return }
    let isToBegin = contents.withLock { contents in
      contents.waiting += asking
      defer { contents.isWriting = true }
      return !contents.isWriting
    }
    if isToBegin { writer.assign { [unowned self] in commit() } }
  }

  // MARK: The thread that commits

  private func commit() {
    while case let works = takeWaiting(), !works.isEmpty {
      database.withLock { $0?.insert(together: works.count) }
      let isFirst = contents.withLock { contents in
        defer { contents.kept += works }
        return contents.kept.isEmpty
      }
      if isFirst { wakeup.signal() }
    }
  }

  /// Removes and returns the waiting connections; if there are none, the writer becomes idle.
  private func takeWaiting() -> [Int32] {
    contents.withLock { contents in
      contents.isWriting = !contents.waiting.isEmpty
      defer { contents.waiting.removeAll() }
      return contents.waiting
    }
  }

  /// A response as long as that to an insertion.
  private static let response = Array(
    ("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 300\r\n\r\n"
      + String(repeating: "x", count: 300)).utf8
  )
}
