import Glibc
import TreeDomain

/// Reads pages at random places of a session, one each millisecond, or as soon as the one before is
/// there.
struct PageReader {
  private let connection: ServiceConnection
  private let path: [UInt8]
  private let rows: Int
  private var random = SplitMix(seed: 40)

  /// A reader of a session with so many rows, more than 100, of the service at a port.
  init(_ port: UInt16, _ session: SessionID, rows: Int) {
    connection = ServiceConnection(port: port)
    path = Array("/v1/sessions/".utf8) + session.bytes + "/rows?limit=100&offset=".utf8
    self.rows = rows
  }

  /// Reads on until something is over, and so many pages more.
  ///
  /// - Returns: How long each page took.
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

  /// The checksum of a page.
  func page(at offset: Int) -> UInt64 {
    var path = path
    path.append(decimal: offset)
    return connection.checksum(of: ServiceRequest.get(path), status: 200)
  }
}
