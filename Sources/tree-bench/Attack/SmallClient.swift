import Glibc

/// A client that repeats a small request about a tree, at most once a millisecond.
final class SmallClient {
  private let client: HTTPClient
  private let session: String
  private let size: Int
  private var random: SplitMix

  /// Creates a client.
  ///
  /// - Parameters:
  ///   - port: The port of the service.
  ///   - session: The path of a session on the tree of ``ImportLines``.
  ///   - size: The number of nodes of the tree.
  ///   - seed: The seed of the random places.
  init(_ port: UInt16, session: String, size: Int, seed: UInt64) {
    client = HTTPClient(port)
    (self.session, self.size) = (session, size)
    random = SplitMix(seed: seed)
  }

  /// Reads pages at random places until a condition is true, and then a number of further ones.
  ///
  /// - Returns: The durations.
  func read(until isOver: () -> Bool, andThen more: Int) -> [Duration] {
    measure(until: isOver, andThen: more) {
      let path = session + "/rows?limit=100&offset=\(random.below(size - 100))"
      return client.request("GET", path, [], type: "")
    }
  }

  /// Updates random nodes until a condition is true, and then a number of further ones.
  ///
  /// The updates change neither titles nor keys.
  ///
  /// - Returns: The durations.
  func write(until isOver: () -> Bool, andThen more: Int) -> [Duration] {
    var number = 0
    return measure(until: isOver, andThen: more) {
      number += 1
      let node = random.below(size)
      let object = #"{"title":"Node \#(node)","size":\#(number),"kind":"file"}"#
      let body = #"{"operations":[{"op":"update","key":"i\#(node)","object":\#(object)}]}"#
      return client.request("POST", session + "/batch", Array(body.utf8), type: "application/json")
    }
  }

  private func measure(
    until isOver: () -> Bool,
    andThen more: Int,
    _ request: () -> [UInt8]
  ) -> [Duration] {
    let clock = ContinuousClock()
    var times: [Duration] = []
    var rest = more
    while rest > 0 {
      if isOver() { rest -= 1 }
      let bytes = request()
      let start = clock.now
      HTTPClient.Answer.expect(client.send(bytes))
      let time = clock.now - start
      // A longer wait counts for each request that was due meanwhile, too.
      var missed = time
      repeat {
        times.append(missed)
        missed -= .milliseconds(1)
      } while missed > .zero
      if time < .milliseconds(1) { usleep(1_000) }
    }
    return times
  }
}

extension HTTPClient.Answer {
  /// Stops the program unless an answer arrived and is a success.
  static func expect(_ answer: Self?) {
    precondition(answer?.isSuccess == true, answer?.text ?? "the server ends the connection")
  }
}
