import HTTP
import HTTPServer
import TestSupport
import Testing
import TreeAPI
import TreeSessions

/// Requests between instances prove where they come from, and go no further.
struct HopTests {
  private static func options(_ keys: String) throws -> TreeAPIOptions {
    var options = TreeAPIOptions()
    try options.keys.add(lines: Array(keys.utf8))
    return options
  }

  @Test func `a forwarded request is not forwarded again`() throws {
    let cluster = try TestCluster()
    let ask = Ask(.get, "/v1/trees/t", "", fields: [TestCluster.hop])
    let answer = try cluster.instances[0].access.send(ask)
    try expectProblem(answer, 503, "overloaded")
    #expect(answer["Retry-After"] == "1")
    #expect(try cluster.owner.access.send(ask).status == 404)
    for target in ["/v1/trees/t/import", "/v1/trees/t/batch", "/v1/trees"] {
      let body = #"{"tree":"t"}"#
      let answer = try cluster.instances[0].access.send(
        Ask(.post, target, body, fields: [TestCluster.hop])
      )
      try expectProblem(answer, 503, "overloaded")
    }
    #expect(try cluster.figure("tree_server_forwarded_requests_total", of: 0) == 0)
  }

  @Test(arguments: ["", "secret", TestCluster.secret + "x", TestCluster.secret.uppercased()])
  func `a field without the secret is refused`(secret: String) throws {
    let cluster = try TestCluster()
    let hop = [(name: "tree-hop", value: secret)]
    for instance in cluster.instances {
      for ask in [
        Ask(.get, "/v1/trees/t", "", fields: hop), Ask(.get, "/v1/trees", "", fields: hop),
        Ask(.post, "/v1/trees", "{}", fields: hop), Ask(.post, "/v1/sessions", "{}", fields: hop),
        Ask(.post, "/v1/trees/t/batch", "{}", fields: hop),
      ] {
        let answer = try instance.access.send(ask)
        try expectProblem(answer, 403, "forbidden")
        #expect(!answer.text.contains(TestCluster.secret))
      }
    }
    var twice = Ask(.get, "/v1/trees/t", "", fields: [TestCluster.hop, TestCluster.hop])
    #expect(try cluster.owner.access.send(twice).status == 403)
    twice.fields.removeLast()
    #expect(try cluster.owner.access.send(twice).status == 404)
  }

  @Test func `what is nowhere at present can be asked for again`() throws {
    let cluster = try TestCluster()
    cluster.plan.put(at: nil)
    for fields in [[], [TestCluster.hop]] {
      for ask in [
        Ask(.get, "/v1/trees/t", "", fields: fields),
        Ask(.post, "/v1/trees/t/batch", "{}", fields: fields),
        Ask(.post, "/v1/trees", #"{"tree":"t"}"#, fields: fields),
      ] {
        let answer = try cluster.instances[0].access.send(ask)
        try expectProblem(answer, 503, "overloaded")
        #expect(answer["Retry-After"] == "2")
      }
    }
  }

  @Test func `the host is checked by the first instance only`() throws {
    let cluster = try TestCluster(server: { $0.hosts = .loopback(and: ["trees.example"]) })
    func status(_ host: String, _ instance: Int, _ fields: String = "") throws -> Int {
      let connection = try BlockingConnection(port: cluster.instances[instance].port)
      try connection.send("GET /v1/trees/t HTTP/1.1\r\nHost: \(host)\r\n\(fields)\r\n".utf8)
      return try connection.receive().status
    }
    let hop = "Tree-Hop: \(TestCluster.secret)\r\n"
    #expect(try status("trees.example", 0) == 404)
    #expect(try status("evil.test", 0) == 421)
    #expect(try status("evil.test", 1) == 421)
    #expect(try status("node-2:8080", 1, hop) == 404)
    #expect(try status("evil.test", 1, "Tree-Hop: wrong\r\n") == 421)
    // A connection on which one was forwarded is not trusted with others.
    let connection = try BlockingConnection(port: cluster.owner.port)
    for (fields, status) in [(hop, 404), ("", 421), (hop, 404)] {
      try connection.send("GET /v1/trees/t HTTP/1.1\r\nHost: node-2\r\n\(fields)\r\n".utf8)
      #expect(try connection.receive().status == status)
    }
  }

  @Test func `credentials are checked where the tree is`() throws {
    let keys = "ann:0123456789abcdef\nbob:fedcba9876543210:read"
    let cluster = try TestCluster(options: Self.options(keys))
    let near = cluster.instances[0].access
    func ask(_ method: HTTP.Method, _ target: String, _ body: String, _ token: String) -> Ask {
      Ask(method, target, body, fields: [("Authorization", "Bearer \(token)")])
    }
    let ann = "0123456789abcdef"
    let bob = "fedcba9876543210"
    #expect(try near.send(ask(.post, "/v1/trees", #"{"tree":"t"}"#, ann)).status == 201)
    #expect(try near.send(ask(.post, "/v1/trees", #"{"tree":"u"}"#, bob)).status == 403)
    let made = try near.send(ask(.post, "/v1/sessions", #"{"tree":"t"}"#, ann))
    let session = try #require(made["Location"])
    let secret = try #require(try made.json()["secret"]?.string)
    let insert = #"{"operations":[{"op":"insert","key":"a"}]}"#
    #expect(try near.send(ask(.post, session + "/batch", insert, secret)).status == 200)
    #expect(try near.send(ask(.get, session + "/rows", "", bob)).status == 200)
    #expect(try near.send(ask(.post, session + "/batch", insert, bob)).status == 403)
    let unknown = try near.send(ask(.get, session, "", "nobody-knows-this"))
    try expectProblem(unknown, 401, "unauthenticated")
    #expect(unknown["WWW-Authenticate"]?.contains("invalid_token") == true)
    #expect(try near.send(Ask(.get, "/v1/trees/t")).status == 401)
    #expect(try near.send(Ask(.get, "/v1/trees")).status == 401)
    #expect(try near.send(ask(.get, "/v1/trees", "", bob)).status == 200)
    #expect(try near.send(ask(.get, "/v1/trees", "", secret)).status >= 401)
  }

  @Test func `refused credentials are counted for the client, not for an instance`() throws {
    let cluster = try TestCluster(
      options: Self.options("ann:0123456789abcdef"),
      server: {
        $0.exemptsLoopback = false
        $0.maxRefusedCredentialsPerAddress = 3
        $0.maxConnectionsPerAddress = 4
      }
    )
    let access = cluster.instances[0].access
    func status(_ token: String, _ access: SocketAccess) throws -> Int {
      let fields = [(name: "Authorization", value: "Bearer \(token)")]
      return try access.send(Ask(.get, "/v1/trees/t", "", fields: fields)).status
    }
    let statuses = try (0..<5).map { _ in try status("wrong", access) }
    #expect(statuses == [401, 401, 401, 429, 429])
    // Whoever asks the owner itself has used up nothing.
    #expect(try status("0123456789abcdef", cluster.owner.access) == 404)
  }
}
