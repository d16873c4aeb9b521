import Glibc
import Synchronization
import TestSupport

/// The history of a tree to which the clients add what they do.
final class SharedHistory: Sendable {
  /// The tree's id.
  let tree: String
  /// The number of clients that write to the tree.
  let clients: Int
  private let contents: Mutex<(history: TreeHistory, paths: [String])>
  private let overness = Mutex(false)

  /// The history of a tree that was made.
  init(tree: String, clients: Int, firstRevision: Int) {
    self.tree = tree
    self.clients = clients
    let history = TreeHistory(
      name: tree,
      options: HistoryWriter.tree,
      firstRevision: firstRevision
    )
    contents = Mutex((history, []))
  }

  /// The monotonic time in nanoseconds.
  static var now: Int {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }

  /// The recorded history so far.
  var history: TreeHistory { contents.withLock { $0.history } }

  /// The paths of the sessions, in the order of the history.
  var paths: [String] { contents.withLock { $0.paths } }

  /// True if clients should finish.
  var isOver: Bool { overness.withLock { $0 } }

  /// Tells clients to finish.
  func declareOver() { overness.withLock { $0 = true } }

  /// Adds a session.
  func add(_ session: TreeHistory.Session, path: String) {
    contents.withLock { contents in
      contents.history.sessions.append(session)
      contents.paths.append(path)
    }
  }

  /// Adds a write that is about to be sent.
  ///
  /// - Returns: Its number.
  func add(_ write: TreeHistory.Write) -> Int {
    contents.withLock { contents in
      contents.history.writes.append(write)
      return contents.history.writes.count - 1
    }
  }

  /// Notes the end of a write.
  func end(_ number: Int, _ outcome: TreeHistory.Outcome) {
    contents.withLock { $0.history.writes[number].outcome = outcome }
  }

  /// Adds a read.
  func add(_ read: TreeHistory.Read) { contents.withLock { $0.history.reads.append(read) } }
}
