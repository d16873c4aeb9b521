import Glibc
import HTTP
import TestSupport

/// A client of several instances, each of which may fail. Each attempt of a request goes to a
/// random instance.
struct RovingLine {
  private let ports: [UInt16]
  /// A field of each request.
  private let field: (name: String, value: String)?
  private var random: SeededGenerator
  private var connections: [UInt16: BlockingConnection] = [:]
  /// The time of the last attempt.
  private(set) var lastSent = 0
  /// The number of attempts without an answer.
  private(set) var losses = 0
  /// The number of refusals to retry.
  private(set) var refusals = 0
  /// The longest time from the first attempt at a request to its answer.
  private(set) var longestWait = Wait()

  /// The time from the first attempt at a request to its answer.
  struct Wait: Sendable {
    var nanoseconds = 0
    /// The request, and the outcome of the last attempt without an answer.
    var text = ""
  }

  /// The timeout of an attempt in seconds.
  private static let patienceSeconds = 5
  /// The time in nanoseconds after which a request without an answer is an error.
  private static let limit = 60_000_000_000

  /// - Parameter secret: The secret of requests without one of their own; nil for none.
  init(ports: [UInt16], random: SeededGenerator, secret: String? = nil) {
    self.ports = ports
    field = secret.map { ("Authorization", "Bearer \($0)") }
    self.random = random
  }

  /// Sends a request until it is answered.
  ///
  /// - Parameter mayGiveUp: True if the client may abandon the request after a failed attempt.
  /// - Returns: The answer; nil if the request was abandoned.
  mutating func send(_ ask: Ask, mayGiveUp: Bool = false) throws -> Answer? {
    var ask = ask
    let hasOwn = ask.fields.contains { $0.name == field?.name }
    if let field, !hasOwn { ask.fields.append(field) }
    let start = SharedHistory.now
    let end = start + Self.limit
    var last = ""
    while SharedHistory.now < end {
      let port = random.choice(ports)
      do {
        let answer = try attempt(ask, port)
        guard [429, 502, 503, 504, 507].contains(answer.status) else {
          let time = SharedHistory.now - start
          if time > longestWait.nanoseconds {
            let text = "\(ask.method.rawValue) \(ask.target) \(last)"
            longestWait = Wait(nanoseconds: time, text: text)
          }
          return answer
        }
        refusals += 1
        last = "\(answer.status) \(answer.text)"
      } catch let error as WireError {
        connections[port] = nil
        losses += 1
        last = "\(error)"
      }
      if mayGiveUp, random.oneIn(5) { return nil }
      usleep(UInt32(random.number(in: 10...150)) * 1_000)
    }
    throw WireError("\(ask.method.rawValue) \(ask.target) was not answered: \(last)")
  }

  private mutating func attempt(_ ask: Ask, _ port: UInt16) throws -> Answer {
    lastSent = SharedHistory.now
    let connection =
      try connections[port]
      ?? BlockingConnection(port: port, patienceSeconds: Self.patienceSeconds)
    connections[port] = connection
    try connection.send(ask.bytes)
    let answer = try connection.receive()
    if answer["Connection"] == "close" { connections[port] = nil }
    return answer
  }
}
