import Glibc
import HTTP
import TestSupport

/// A way to a program that is ended and started again: a request that was not answered is sent
/// again, with the same idempotency key, and the answer is as if nothing had happened.
///
/// An answer that stays out for another reason than the program's end is an error.
final class MortalLine: Access {
  private let program: MortalProgram
  private let name: String
  private var connection: (BlockingConnection, MortalProgram.Place)?
  private var requests = 0
  /// The idempotency keys under which something was answered.
  private var answered: Set<String> = []
  /// How many requests had been carried out already when they were sent again.
  private(set) var replays = 0
  /// How many answers stayed out.
  private(set) var losses = 0

  /// A line of a name that no other has: its requests are told from others by it.
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
        answer.fields.removeAll { $0.name == "Idempotency-Replayed" }
      }
      return answer
    }
  }

  /// Sends a request as it is; nil when the program ended before its answer.
  func sendOnce(_ ask: Ask) throws -> Answer? {
    for _ in 0..<6_000 {
      let place = connection?.1 ?? program.place
      do {
        let answer = try attempt(ask, place)
        guard answer.status == 503 else { return answer }
        // Something is in the way, which says so, and has done nothing: it passes.
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
