import HTTP
import TestSupport
import Testing
import TreeAPI
import TreeSessions

/// Each route of the contract, asked through an instance that has nothing.
struct ForwardedRouteTests {
  /// A cluster with a tree and a session at its second instance.
  private struct Sample {
    let cluster: TestCluster
    let session: String
    var near: SocketAccess { cluster.instances[0].access }
    var owner: SocketAccess { cluster.owner.access }

    init(options: TreeAPIOptions = TreeAPIOptions()) throws {
      cluster = try TestCluster(options: options, isCoding: true)
      let nodes = (0..<40).map { #"{"key":"k\#($0)","object":{"t":"text of \#($0)"}}"# }
      let tree =
        #"{"tree":"t","nodes":[{"key":"a","children":[\#(nodes.joined(separator: ","))]}]}"#
      let access = cluster.owner.access
      try #require(try access.send(Ask(.post, "/v1/trees", tree)).status == 201)
      let made = try access.send(Ask(.post, "/v1/sessions", #"{"tree":"t"}"#))
      session = try #require(made["Location"]?.split(separator: "/").last.map(String.init))
    }

    /// Returns a path of a route, with values for its parameters.
    func path(_ template: String) -> String {
      template.replacing("{tree}", with: "t").replacing("{session}", with: session)
        .replacing("{key}", with: "a").replacing("{index}", with: "1")
    }
  }

  /// The request bodies of routes that need one, for a try-out.
  private static let bodies = [
    "/batch": #"{"operations":[{"op":"insert","key":"x"}]}"#, "/nodes/get": #"{"keys":["a"]}"#,
    "/children": #"[{"key":"x"}]"#, "/forest": #"[{"key":"x"}]"#, "/nodes/{key}": #"{"object":1}"#,
    "/import": #"{"key":"x"}"#, "/move": #"{"parent":null,"index":0}"#,
  ]

  private static func ask(_ route: TreeAPI.Described, _ sample: Sample) -> Ask {
    var query = route.parameters.contains("dryRun") ? "?dryRun=true" : ""
    if route.parameters.contains("since") { query = "?since=0" }
    if route.parameters.contains("q") { query = "?q=text&by=/t" }
    let hasBody = [.post, .put, .patch].contains(route.method)
    let body = bodies.first { route.template.hasSuffix($0.key) }?.value ?? "{}"
    let isImport = route.template.hasSuffix("/import")
    let type = isImport ? "application/x-ndjson" : "application/json"
    let fields = hasBody ? [("Content-Type", type)] : []
    return Ask(
      route.method,
      sample.path(route.template) + query,
      hasBody ? body : "",
      fields: fields.map { (name: $0.0, value: $0.1) }
    )
  }

  private static func fields(_ answer: Answer) -> [String] {
    answer.fields.filter { !["Date", "X-Request-Id", "Connection"].contains($0.name) }
      .map { "\($0.name): \($0.value)" }.sorted()
  }

  private static func expectSame(_ ask: Ask, _ sample: Sample) throws {
    let (direct, forwarded) = (try sample.owner.send(ask), try sample.near.send(ask))
    let context = "\(ask.method) \(ask.target) \(ask.fields)"
    #expect(direct.status == forwarded.status, "\(context)")
    #expect(direct.body == forwarded.body, "\(context)")
    #expect(fields(direct) == fields(forwarded), "\(context)")
  }

  /// The routes that change nothing if asked to try out, and those that read.
  private static let repeatable = TreeAPI.routes.filter { route in
    route.template.contains("{tree}") || route.template.contains("{session}")
  }.filter { route in
    route.method == .get || route.parameters.contains("dryRun")
      || route.template.hasSuffix("/nodes/get")
  }

  @Test(arguments: repeatable.indices)
  func `is answered in the same way, in all forms`(index: Int) throws {
    let sample = try Sample()
    let route = Self.repeatable[index]
    let ask = Self.ask(route, sample)
    try Self.expectSame(ask, sample)
    #expect(try sample.cluster.figure("tree_server_forwarded_requests_total", of: 0) == 1)
    let variants: [[(name: String, value: String)]] = [
      [("Accept-Encoding", "gzip")], [("If-Match", "\"7\"")], [("If-None-Match", "\"0\"")],
      [("Accept", "text/html")], [("Origin", "http://evil.test")], [("Prefer", "return=minimal")],
      [("Accept-Encoding", "identity;q=0")], [("Connection", "X-Own"), ("X-Own", "1")],
    ]
    for fields in variants {
      var ask = ask
      ask.fields += fields
      try Self.expectSame(ask, sample)
    }
    for target in ["&x=1", "&limit=0"].map({ ask.target + (ask.target.contains("?") ? $0 : "?x=1") }
    ) {
      var ask = ask
      ask.target = target
      try Self.expectSame(ask, sample)
    }
    try Self.expectSame(Ask(.options, sample.path(route.template)), sample)
    if route.method == .get {
      for fields in variants + [[]] {
        try Self.expectSame(Ask(.head, ask.target, "", fields: fields), sample)
      }
    }
  }

  @Test func `that changes something is carried out where its tree is`() throws {
    let rest = TreeAPI.routes.filter { route in
      route.template.contains("{tree}") || route.template.contains("{session}")
    }.filter { route in !Self.repeatable.contains { $0 == route } }
    #expect(
      rest.map { "\($0.method.rawValue) \($0.template)" } == [
        "DELETE /v1/trees/{tree}", "DELETE /v1/sessions/{session}",
      ]
    )
    let sample = try Sample()
    let (near, owner) = (sample.near, sample.owner)
    let session = "/v1/sessions/\(sample.session)"
    let patch = try near.send(Ask(.patch, session, #"{"selection":"single"}"#))
    #expect(patch.status == 200)
    #expect(try owner.send(Ask(.get, session)).json()["selection"]?.string == "single")
    #expect(try near.send(Ask(.delete, session)).status == 204)
    #expect(try owner.send(Ask(.get, session)).status == 404)
    #expect(try near.send(Ask(.delete, "/v1/trees/t")).status == 204)
    #expect(try owner.send(Ask(.get, "/v1/trees/t")).status == 404)
  }

  @Test func `that needs no tree is answered by any instance`() throws {
    let sample = try Sample()
    sample.cluster.kill(1)
    let routes = TreeAPI.routes.filter { !$0.template.hasPrefix("/v1/") }
    for route in routes {
      let path = route.template.replacing("{code}", with: "cycle")
        .replacing("{file}", with: route.template.hasPrefix("/client") ? "react.js" : "explorer.js")
      #expect(try 200..<400 ~= sample.near.send(Ask(route.method, path)).status, "\(path)")
    }
    for (ask, status) in [
      (Ask(.get, "/v1/none"), 404), (Ask(.put, "/v1/trees/t"), 405),
      (Ask(.get, "/v1/trees/t"), 503),
    ] {
      #expect(try sample.near.send(ask).status == status)
    }
  }

  @Test func `carries the id of its request through all instances`() throws {
    let sample = try Sample()
    let field = [(name: "X-Request-Id", value: "mine")]
    let answer = try sample.near.send(Ask(.get, "/v1/trees/t", "", fields: field))
    #expect(answer["X-Request-Id"] == "mine")
    #expect(answer.fields.filter { $0.name == "X-Request-Id" }.count == 1)
    #expect(try sample.near.send(Ask(.get, "/v1/trees/t"))["X-Request-Id"]?.count == 16)
  }
}
