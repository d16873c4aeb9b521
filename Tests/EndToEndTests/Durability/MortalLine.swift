import Glibc
import HTTP
import TestSupport

/// A client of a program that is killed and restarted. A request without an answer is sent again
/// with the same idempotency key, and its answer is as if nothing had happened.
///
/// An answer that is missing for any other reason is an error.
final class MortalLine: Access {
  private let program: MortalProgram
  private let name: String
  private var connection: (BlockingConnection, MortalProgram.Place)?
  private var requests = 0
  /// The idempotency keys that have an answer.
  private var answered: Set<String> = []
  /// The number of repeated requests that had been applied the first time.
  private(set) var replays = 0
  /// The number of missing answers.
  private(set) var losses = 0

  /// Creates a client. Its name is unique, as the idempotency keys begin with it.
  init(_ program: MortalProgram, name: String) {
    self.program = program
    self.name = name
  }

  func send(_ ask: Ask) throws -> Answer {
    var ask = ask
    requests += 1
    let isRead = ask.method == .get || ask.method == .head
    var token = ask.fields.first { $0.name == "Idempotency-Key" }?.value
    if token == nil, !isRead {
      token = "\(name).\(requests)"
      ask.fields.append(("Idempotency-Key", token ?? name))
    }
    let losses = losses
    while true {
      guard var answer = try sendOnce(ask) else { continue }
      guard let token else { return answer }
      let isFirst = answered.insert("\(ask.target) \(token)").inserted
      if isFirst, losses != self.losses, answer["Idempotency-Replayed"] == "true" {
        replays += 1
        program.countReplay()
        answer.fields.removeAll { $0.name == "Idempotency-Replayed" }
      }
      return answer
    }
  }

  /// Sends a request once; returns nil if the program ended before its answer.
  func sendOnce(_ ask: Ask) throws -> Answer? {
    for _ in 0..<6_000 {
      let place = connection?.1 ?? program.place
      do {
        let answer = try attempt(ask, place)
        guard answer.status == 503 else { return answer }
        // The program refused the request and changed nothing, so it is sent again.
        usleep(10_000)
      } catch let error as WireError {
        connection = nil
        losses += 1
        guard program.place != place else { throw WireError("\(name): \(ask.target): \(error)") }
        return nil
      }
    }
    throw WireError("\(name): \(ask.target) stays refused with 503")
  }

  private func attempt(_ ask: Ask, _ place: MortalProgram.Place) throws -> Answer {
    let (connection, place) = try connection ?? (BlockingConnection(port: place.port), place)
    self.connection = (connection, place)
    try connection.send(ask.bytes)
    let answer = try connection.receive(toHead: ask.method == .head)
    if answer["Connection"] == "close" { self.connection = nil }
    return answer
  }
}
