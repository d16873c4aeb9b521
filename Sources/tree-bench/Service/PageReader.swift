import Glibc
import TreeDomain

/// Reads pages at random places of a session, at most one per millisecond.
struct PageReader {
  private let connection: ServiceConnection
  private let path: [UInt8]
  private let rows: Int
  private var random = SplitMix(seed: 40)

  /// Creates a reader of a session with `rows` rows, which must be more than 100.
  init(_ port: UInt16, _ session: SessionID, rows: Int) {
    connection = ServiceConnection(port: port)
    path = Array("/v1/sessions/".utf8) + session.bytes + "/rows?limit=100&offset=".utf8
    self.rows = rows
  }

  /// Reads pages until a condition is true, and then a number of further pages.
  ///
  /// - Returns: The duration of each page.
  mutating func read(until isOver: () -> Bool, andThen more: Int) -> [Duration] {
    let clock = ContinuousClock()
    var times: [Duration] = []
    var rest = more
    var due = clock.now
    while rest > 0 {
      if isOver() { rest -= 1 }
      let early = clock.now.duration(to: due)
      if early > .zero { usleep(UInt32(early / .microseconds(1))) }
      due = clock.now + .milliseconds(1)
      let offset = random.below(rows - 100)
      times.append(clock.measure { _ = page(at: offset) })
    }
    return times
  }

  /// Returns the checksum of a page.
  func page(at offset: Int) -> UInt64 {
    var path = path
    path.append(decimal: offset)
    return connection.checksum(of: ServiceRequest.get(path), status: 200)
  }
}
