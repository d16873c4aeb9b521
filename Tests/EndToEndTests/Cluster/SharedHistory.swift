import Glibc
import Synchronization
import TestSupport

/// The history of a tree, to which its clients add their requests.
final class SharedHistory: Sendable {
  /// The id of the tree.
  let tree: String
  /// The number of clients that write to the tree.
  let clients: Int
  private let contents: Mutex<(history: TreeHistory, places: [Place])>
  private let overState = Mutex(false)

  /// A session as its clients reach it.
  struct Place {
    var path: String
    var secret: String
  }

  /// Creates the history of a new tree.
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

  /// The history so far.
  var history: TreeHistory { contents.withLock { $0.history } }

  /// The sessions, in the order of the history.
  var places: [Place] { contents.withLock { $0.places } }

  /// True if clients must finish.
  var isOver: Bool { overState.withLock { $0 } }

  /// Asks clients to finish.
  func declareOver() { overState.withLock { $0 = true } }

  /// Adds a session.
  func add(_ session: TreeHistory.Session, _ place: Place) {
    contents.withLock { contents in
      contents.history.sessions.append(session)
      contents.places.append(place)
    }
  }

  /// Adds a write before it is sent.
  ///
  /// - Returns: The number of the write.
  func add(_ write: TreeHistory.Write) -> Int {
    contents.withLock { contents in
      contents.history.writes.append(write)
      return contents.history.writes.count - 1
    }
  }

  /// Sets the outcome of a write.
  func end(_ number: Int, _ outcome: TreeHistory.Outcome) {
    contents.withLock { $0.history.writes[number].outcome = outcome }
  }

  /// Adds a read.
  func add(_ read: TreeHistory.Read) { contents.withLock { $0.history.reads.append(read) } }
}
