import Glibc

extension Attack {
  /// Ancestors of the last node of a chain with long keys, for clients that read late.
  ///
  /// The size is the length of the chain.
  static let ancestors = Attack(name: "ancestors", smallSize: 500, largeSize: 99_000) { field in
    let filling = String(repeating: "k", count: 490)
    var lines: [UInt8] = []
    for number in 0..<field.size {
      let parent = number == 0 ? "" : #","parent":"\#(filling)\#(number - 1)""#
      lines += "{\"key\":\"\(filling)\(number)\"\(parent)}\n".utf8
    }
    let session = field.makeSession(field.makeTree("deep", lines: lines))
    let path = session + "/nodes/\(filling)\(field.size - 1)/ancestors"
    field.begin(reading: field.makeSession(field.makeTree("beside", #","nodes":[{"key":"a"}]"#)))
    let isSmall = field.isSmall
    field.attack(32) { client, number in
      guard client.begin(client.request("GET", path, [], type: "")) else { return nil }
      if number % 2 == 0 { usleep(isSmall ? 50_000 : 3_000_000) }
      let answer = client.readAnswer()
      if answer == nil { client.close() }
      return answer
    }
  }

  /// Pages of 4 MB that nobody reads; the size is the number of clients.
  static let unreadPages = Attack(
    name: "unread-pages",
    smallSize: 8,
    largeSize: 400,
    settings: ["--max-connections-per-address=16384"]
  ) { field in
    let text = String(repeating: "x", count: 4_000)
    let lines = (0..<1_000).map { "{\"key\":\"k\($0)\",\"object\":\"\(text)\"}" }
    let tree = field.makeTree("large", lines: Array(lines.joined(separator: "\n").utf8))
    let session = field.makeSession(tree)
    field.begin(reading: field.makeSession(field.makeTree("beside", #","nodes":[{"key":"a"}]"#)))
    let request = field.client().request("GET", session + "/rows?limit=1000", [], type: "")
    let held = (0..<field.size).compactMap { _ in
      let socket = ClientSocket(port: field.port, receiveBytes: 4_096)
      return socket?.send(request) == true ? socket : nil
    }
    for _ in 0..<(field.isSmall ? 1 : max(5, field.size / 16)) {
      usleep(field.isSmall ? 200_000 : 1_000_000)
    }
    field.remark("\(held.count { $0.isEndedByPeer }) of \(field.size) unread answers were cut")
  }

  /// The description of the API, compressed for each of eight clients; the size is the number of
  /// fetches.
  static let openAPI = Attack(name: "openapi", smallSize: 50, largeSize: 20_000) { field in
    let path = "/openapi.yaml"
    field.begin()
    let before = field.processorTime
    let fetched = SharedCount()
    let size = field.size
    field.start(8, "attack") { client, _ in
      let number = fetched.withLock { fetched in
        fetched += 1
        return fetched
      }
      if number > size { usleep(100_000) }
      let fields = "Host: localhost\r\nAccept-Encoding: gzip\r\n\r\n"
      return client.send(Array("GET \(path) HTTP/1.1\r\n\(fields)".utf8))
    }
    while fetched.withLock({ $0 < size }), field.isAlive { usleep(1_000) }
    let each = (field.processorTime - before) / size
    field.remark("processor time of the server for each fetch: \(each)")
  }

  /// Exports of a tree for eight clients that hardly read; the size is the number of nodes.
  static let slowExports = Attack(
    name: "slow-exports",
    smallSize: 2_000,
    largeSize: 300_000
  ) { field in
    let tree = field.makeTree("exported", lines: ImportLines(.tenfold, count: field.size).bytes)
    let path = "/v1/trees/\(tree)/export"
    field.begin(reading: field.makeSession(tree))
    let isSmall = field.isSmall
    field.start(8, "slow export") { client, _ in
      guard client.begin(client.request("GET", path, [], type: "")) else { return nil }
      for _ in 0..<(isSmall ? 10 : 200) where client.skipSome(4_096) {
        usleep(isSmall ? 1_000 : 100_000)
      }
      client.close()
      return HTTPClient.Answer(status: 200, body: [], length: 0)
    }
    usleep(isSmall ? 10_000 : 1_000_000)
    field.attack(1, "export of another", for: 10) { client, _ in client.send("GET", path) }
  }
}
