import TestSupport

/// A way to the service that breaks: before a request is sent, before its answer has come, or
/// within the answer.
struct BadLine {
  private let port: UInt16
  private var random: SeededGenerator
  private var connection: BlockingConnection?
  /// How often it broke.
  private(set) var breaks = 0

  /// A line to a port; the seed decides when it breaks.
  init(port: UInt16, seed: UInt64) {
    self.port = port
    random = SeededGenerator(seed: seed)
  }

  /// Sends a request again and again until its answer comes through.
  ///
  /// - Precondition: Sent twice, the request does what it does once.
  mutating func send(_ ask: Ask) throws -> Answer {
    while true {
      if let answer = try attempt(ask), answer.status != 503 { return answer }
    }
  }

  /// Sends a request once; nil when the line broke.
  private mutating func attempt(_ ask: Ask) throws -> Answer? {
    let connection = try connection ?? BlockingConnection(port: port)
    let bytes = ask.bytes
    let fault = random.number(in: 0...5)
    if fault < 3 {
      self.connection = nil
      breaks += 1
      try connection.send(
        fault == 0 ? bytes.prefix(random.number(in: 0...bytes.count)) : bytes[...]
      )
      if fault == 2 { _ = try connection.receivePiece() }
      return nil
    }
    try connection.send(bytes)
    let answer = try connection.receive()
    self.connection = answer["Connection"] == "close" ? nil : connection
    return answer
  }
}
