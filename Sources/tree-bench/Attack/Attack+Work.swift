import Glibc

extension Attack {
  /// Searches without a match, eight at once, which are abandoned after 100 ms; then one page.
  ///
  /// The size is the number of nodes.
  static let abandonedSearches = Attack(
    name: "abandoned-searches",
    smallSize: 1_000,
    largeSize: 1_000_000
  ) { field in
    let tree = field.makeTree("searched", lines: ImportLines(.tenfold, count: field.size).bytes)
    let sessions = (0..<8).map { _ in field.makeSession(tree) }
    let reader = field.client()
    field.begin(reading: sessions[0])
    let clock = ContinuousClock()
    for _ in 0..<(field.isSmall ? 1 : 5) {
      let clients = sessions.map { session in
        let client = field.client()
        _ = client.begin(client.request("GET", session + "/search?q=nowhere", [], type: ""))
        return client
      }
      usleep(field.isSmall ? 1_000 : 100_000)
      for client in clients { client.close() }
      let start = clock.now
      let answer = reader.send("GET", sessions[1] + "/rows?limit=100")
      field.record("page after abandonment", answer, clock.now - start)
    }
  }

  /// Heavy work of all kinds at the time of SIGTERM; the size is the number of nodes.
  static let sigterm = Attack(name: "sigterm", smallSize: 1_000, largeSize: 1_000_000) { field in
    let lines = ImportLines(.tenfold, count: field.size).bytes
    let trees = (0..<3).map { field.makeTree("busy\($0)", lines: lines) }
    let sessions = trees.map { field.makeSession($0) }
    field.begin(reading: sessions[0])
    for tree in trees {
      field.start(2, "sort everywhere") { client, number in
        let direction = number == 0 ? "ascending" : "descending"
        let sort = #"{"op":"sort","by":[{"by":"/title","direction":"\#(direction)"}]}"#
        return client.send("POST", "/v1/trees/\(tree)/batch", AttackField.batch([sort]))
      }
    }
    for (index, session) in sessions.enumerated() {
      field.start(2, "search") { client, _ in
        client.send("GET", session + "/search?q=nowhere&count=true")
      }
      field.start(1, "filter") { client, _ in
        client.send("PATCH", session, #"{"filter":{"by":"/title","contains":"\#(index)7"}}"#)
      }
    }
    field.start(1, "import") { client, _ in
      let tree = "import-\(UInt32.random(in: 0...UInt32.max))"
      _ = client.send("POST", "/v1/trees", #"{"tree":"\#(tree)"}"#)
      let path = "/v1/trees/\(tree)/import"
      let answer = client.send("POST", path, lines, type: "application/x-ndjson")
      _ = client.send("DELETE", "/v1/trees/\(tree)")
      return answer
    }
    usleep(field.isSmall ? 100_000 : 3_000_000)
  }

  /// Heavy work on sixteen trees by one caller, and one heavy request at a time by another.
  ///
  /// The size is the number of nodes of each tree.
  static let manyCallers = Attack(
    name: "many-callers",
    smallSize: 1_000,
    largeSize: 100_000,
    callers: ["flood", "other"]
  ) { field in
    let lines = ImportLines(.tenfold, count: field.size).bytes
    let sessions = (0..<17).map { number in
      field.makeSession(field.makeTree("many\(number)", lines: lines))
    }
    let sort = AttackField.batch([#"{"op":"sort","by":[{"by":"/title","compare":"natural"}]}"#])
    let heavy: @Sendable (HTTPClient, String) -> HTTPClient.Answer? = { client, session in
      client.send("POST", session + "/batch?dryRun=true&changes=none", sort)
    }
    field.begin()
    let alone = field.client("other")
    let clock = ContinuousClock()
    for _ in 0..<(field.isSmall ? 1 : 5) {
      let start = clock.now
      let answer = heavy(alone, sessions[16])
      field.record("other caller, alone", answer, clock.now - start)
    }
    field.start(32, "flood", caller: "flood") { client, number in
      heavy(client, sessions[number % 16])
    }
    usleep(field.isSmall ? 1_000 : 500_000)
    field.attack(1, "other caller, beside it", caller: "other") { client, _ in
      heavy(client, sessions[16])
    }
  }
}
