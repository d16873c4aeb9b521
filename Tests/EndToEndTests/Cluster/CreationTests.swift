import HTTP
import TestSupport
import Testing
import TreeAPI
import TreeDomain
import TreeSessions

/// Trees and sessions are made where they belong, and listed by all instances together.
struct CreationTests {
  @Test(arguments: [0, 1, 2], [false, true])
  func `a tree is made where its id belongs`(asked: Int, isLong: Bool) throws {
    let cluster = try TestCluster(3)
    let access = cluster.instances[asked].access
    let filler = isLong ? String(repeating: " ", count: 100_000) : ""
    for owner in 0...2 {
      cluster.plan.put("t\(owner)", at: owner)
      let members = [#""tree":"t\#(owner)""#, #""nodes":[{"key":"a"}]"#]
      for body in [members, members.reversed()].map({ "{\(filler)\($0.joined(separator: ","))}" }) {
        let answer = try access.send(Ask(.post, "/v1/trees", body))
        #expect([201, 409].contains(answer.status), "\(answer.text)")
      }
      for (index, instance) in cluster.instances.enumerated() {
        let ids = instance.store.trees(after: nil, limit: 10).trees.map(\.tree.bytes)
        #expect(ids.contains(Array("t\(owner)".utf8)) == (index == owner))
      }
      let made = try access.send(Ask(.post, "/v1/sessions", #"{\#(filler)"tree":"t\#(owner)"}"#))
      let session = try #require(try made.json()["session"]?.string)
      cluster.plan.put(session, at: owner)
      #expect(try access.send(Ask(.get, "/v1/sessions/\(session)/rows")).status == 200)
    }
  }

  @Test func `what has no id belongs where its idempotency key does`() throws {
    let cluster = try TestCluster(3)
    cluster.plan.put("key", at: 1)
    let key = [(name: "Idempotency-Key", value: "key")]
    for target in ["/v1/trees", "/v1/sessions"] {
      var key = key
      key[0].value += target == "/v1/trees" ? "" : "2"
      cluster.plan.put("key2", at: 1)
      let answers = try cluster.instances.map {
        try $0.access.send(Ask(.post, target, #"{"nodes":[{"key":"a"}]}"#, fields: key))
      }
      #expect(answers.map(\.status) == [201, 201, 201])
      #expect(Set(answers.map(\.body)).count == 1)
      #expect(answers.map { $0["Idempotency-Replayed"] } == [nil, "true", "true"])
    }
    #expect(cluster.instances[1].store.trees(after: nil, limit: 9).trees.count == 1)
  }

  @Test(
    arguments: [
      (#"{"tree":"#, 400, "malformed-json"), (#"{"tree":1}"#, 400, "invalid-request"),
      (#"{"tree":"a/b"}"#, 400, "invalid-request"),
      (#"{"x":1,"tree":"t"}"#, 400, "invalid-request"),
      (#"{"tree":"t","tree":"u"}"#, 400, "invalid-request"), ("[]", 400, "invalid-request"),
    ]
  )
  func `content that cannot be read is refused as usual`(
    body: String,
    status: Int,
    code: String
  ) throws {
    let cluster = try TestCluster()
    for target in ["/v1/trees", "/v1/sessions"] {
      let answers = try cluster.instances.map { try $0.access.send(Ask(.post, target, body)) }
      for answer in answers { try expectProblem(answer, status, code) }
      #expect(answers[0].body == answers[1].body)
    }
  }

  @Test(arguments: Seed.seeds(count: 3))
  func `all trees are listed in order, page by page`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let cluster = try TestCluster(3)
    var ids: [String] = []
    for number in 0..<random.number(in: 1...40) {
      ids.append(random.choice(["a", "B", "~"]) + "\(number)")
      cluster.plan.put(ids[number], at: random.number(in: 0...2))
      let made = try cluster.instances[random.number(in: 0...2)].access
        .send(Ask(.post, "/v1/trees", #"{"tree":"\#(ids[number])"}"#))
      #expect(made.status == 201)
    }
    ids.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    for limit in [1, 2, 7, 40, 1_000] {
      var listed: [String] = []
      var after = ""
      while true {
        let access = cluster.instances[random.number(in: 0...2)].access
        let answer = try access.send(Ask(.get, "/v1/trees?limit=\(limit)\(after)"))
        let page = try answer.json()
        let trees = try #require(page["trees"]?.elements)
        #expect(trees.count <= limit && !trees.isEmpty, "SEED=\(seed)")
        listed += trees.compactMap { $0["tree"]?.string }
        guard let next = page["next"]?.string else { break }
        #expect(next == listed.last)
        after = "&after=\(next)"
      }
      #expect(listed == ids, "SEED=\(seed), limit \(limit)")
    }
  }

  @Test func `a list is that of one instance, in all its forms`() throws {
    let cluster = try TestCluster(2)
    cluster.plan.put("b", at: 0)
    try withServer { port in
      let single = SocketAccess(port: port)
      for access in [single, cluster.instances[0].access] {
        for tree in ["a", "b", "c"] {
          let body = #"{"tree":"\#(tree)","sort":[{"by":"/t"}],"sections":["S"]}"#
          #expect(try access.send(Ask(.post, "/v1/trees", body)).status == 201)
        }
      }
      for ask in [
        Ask(.get, "/v1/trees"), Ask(.get, "/v1/trees?limit=2"), Ask(.head, "/v1/trees"),
        Ask(.get, "/v1/trees?after=b"), Ask(.get, "/v1/trees?after=%2F"),
        Ask(.get, "/v1/trees?limit=0"),
        Ask(.get, "/v1/trees", "", fields: [("If-Match", "\"1\"")]),
        Ask(.get, "/v1/trees", "", fields: [("Accept", "text/html")]),
      ] {
        let answers = try [single, cluster.instances[0].access].map { try $0.send(ask) }
        #expect(answers[0].status == answers[1].status && answers[0].body == answers[1].body)
        #expect(answers[0]["Content-Type"] == answers[1]["Content-Type"])
        #expect(answers[0]["Content-Length"] == answers[1]["Content-Length"])
      }
    }
  }

  @Test func `a list is refused if not all instances can be asked`() throws {
    let cluster = try TestCluster(3)
    cluster.kill(1)
    let answer = try cluster.instances[0].access.send(Ask(.get, "/v1/trees"))
    try expectProblem(answer, 503, "overloaded")
    #expect(answer["Retry-After"] == "1")
    cluster.plan.forget(1)
    #expect(try cluster.instances[0].access.send(Ask(.get, "/v1/trees")).status == 200)
  }
}
