import Glibc

extension Attack {
  /// Reveals of all nodes of a chain in one batch; the size is the length of the chain.
  static let revealChain = Attack(
    name: "reveal-chain",
    smallSize: 200,
    largeSize: 20_000
  ) { field in
    let tree = field.makeTree("chain", lines: ImportLines(.chain, count: field.size).bytes)
    let sessions = (0..<4).map { _ in field.makeSession(tree, #","expansion":"none""#) }
    let reveals = (0..<field.size).map { #"{"op":"reveal","key":"i\#($0)"}"# }
    let body = AttackField.batch([#"{"op":"collapseAll"}"#] + reveals)
    field.begin(reading: field.makeSession(tree, #","expansion":2"#))
    field.attack(4) { client, number in
      client.send("POST", sessions[number] + "/batch?changes=none", body)
    }
  }

  /// Filters by patterns with large sets over large texts; the size is that of a text in KB.
  static let globs = Attack(name: "globs", smallSize: 3, largeSize: 500) { field in
    let first = 0x4E00
    let letters = (0..<20_000).map { Character(Unicode.Scalar(UInt32(first + $0)) ?? "x") }
    let characters = field.size * 1_000 / 3
    let text = String((0..<characters).map { letters[$0 * 7_919 % letters.count] })
    let tree = field.makeTree("globs")
    field.insert(field.isSmall ? 2 : 20, #"{"t":"\#(text)"}"#, into: tree)
    // As many as a pattern may have; no text has one of them, so that each place is tried.
    let others = (0x100..<0x800).compactMap { Unicode.Scalar(UInt32($0)) }.map(Character.init)
    let pattern = "*[" + String(others) + "]"
    let sessions = (0..<4).map { _ in field.makeSession(tree) }
    field.begin(reading: field.makeSession(tree))
    let round = SharedCount()
    field.attack(4) { client, number in
      let other = round.withLock { round in
        round += 1
        return round
      }
      let filter = #"{"filter":{"by":"/t","matches":"\#(pattern)\#(other % 1_000)*"}}"#
      return client.send("PATCH", sessions[number], filter)
    }
  }

  /// Breadth-first sessions with a filter that nearly all nodes match; the size is the number of
  /// nodes.
  static let viewMemory = Attack(
    name: "view-memory",
    smallSize: 2_000,
    largeSize: 300_000
  ) { field in
    let tree = field.makeTree("views", lines: ImportLines(.tenfold, count: field.size).bytes)
    let body =
      #"{"tree":"\#(tree)","order":"breadthFirst","#
      + #""filter":{"not":{"by":"/z","equals":1}}}"#
    field.begin(reading: field.makeSession(tree))
    let made = SharedCount()
    field.attack(2) { client, _ in
      let number = made.withLock { made in
        made += 1
        return made
      }
      if number > 34 { usleep(100_000) }
      return client.send("POST", "/v1/sessions", body)
    }
    while made.withLock({ $0 < 34 }), field.isAlive { usleep(10_000) }
  }

  /// Small writes to a tree that many sessions filter by many tests; the size is the number of
  /// sessions.
  static let manyFilters = Attack(name: "many-filters", smallSize: 20, largeSize: 2_000) { field in
    let lines = ImportLines(.tenfold, count: field.isSmall ? 50 : 1_000).bytes
    func makeTree(_ name: String, _ value: (Int) -> Int) -> String {
      let tree = field.makeTree(name, lines: lines)
      let client = field.client()
      for session in 0..<field.size {
        let tests = (0..<99).map { #"{"not":{"by":"/m\#($0)","equals":\#(value(session))}}"# }
        let filter = #"{"tree":"\#(tree)","filter":{"all":[\#(tests.joined(separator: ","))]}}"#
        if client.send("POST", "/v1/sessions", filter)?.isSuccess != true { break }
      }
      return tree
    }
    let trees = [makeTree("equal", { _ in 0 }), makeTree("distinct", { $0 })]
    field.begin(reading: field.makeSession(trees[0]))
    for (tree, label) in zip(trees, ["write, equal filters", "write, distinct filters"]) {
      field.attack(1, label, for: 3) { client, _ in
        let update = #"{"op":"update","key":"i7","object":{"n":\#(Int.random(in: 0..<1_000))}}"#
        return client.send("POST", "/v1/trees/\(tree)/batch", AttackField.batch([update]))
      }
    }
  }
}
