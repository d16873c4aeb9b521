import HTTP
import Testing
import TreeDomain
import TreeSessions

/// Refused requests: the problem names the cause and the place, and nothing changes.
struct RefusalTests {
  @Test(arguments: Reach.allCases)
  func `text that is not JSON is refused with its offset`(reach: Reach) throws {
    let start = Array(#"{"operations":[{"op":"remove","key":""#.utf8)
    let end = Array(#""}]}"#.utf8)
    try expect(
      [
        .malformed(start, at: start.count),
        .malformed(Array(#"{"operations":[]} x"#.utf8), at: 18),
        .malformed(Array(#"{"operations":[],}"#.utf8), at: 17),
        .malformed(Array(#"{"operations":[01]}"#.utf8), at: 16),
        .malformed([0xEF, 0xBB, 0xBF] + start + end, at: 0),
        .malformed(start + [0xFF] + end, at: start.count),
        .malformed(start + [0x0A] + end, at: start.count),
        .malformed(start + Array(#"\ud800"#.utf8) + end, at: start.count),
        .malformed(start + Array(#"a\x"#.utf8) + end, at: start.count + 1),
        Refusal(Ask(.post, "/batch"), 400, "malformed-json", ["byteOffset": "0"]),
        Refusal(Ask(.patch, "/nodes/box", "{"), 400, "malformed-json", ["byteOffset": "1"]),
      ],
      reach
    )
  }

  @Test(arguments: Reach.allCases)
  func `an operation that cannot be decoded is refused with its pointer`(reach: Reach) throws {
    try expect(
      [
        .second(#"{"op":"explode"}"#, 400, "unknown-operation", pointer: "/op"),
        .second(#"{"op":"fly","key":"box"}"#, 400, "unknown-operation", pointer: "/op"),
        .second(#"{"op":"remove","key":"box","colour":1}"#, 400, invalid, pointer: "/colour"),
        .second(#"{"op":"remove","key":"box","levels":1}"#, 400, invalid, pointer: "/levels"),
        .second(#"{"op":"remove","key":5}"#, 400, invalid, pointer: "/key"),
        .second(#"{"op":"remove","key":"box","key":"box"}"#, 400, invalid, pointer: "/key"),
        .second(#"{"op":"expand","key":"box","levels":0}"#, 400, invalid, pointer: "/levels"),
        .second(#"{"op":"move","keys":["box",1]}"#, 400, invalid, pointer: "/keys/1"),
        .second(
          #"{"op":"insert","key":"new","children":[{"key":"a"},{"kee":"b"}]}"#,
          400,
          invalid,
          pointer: "/children/1/kee"
        ),
        .second(
          #"{"op":"insert","key":"new","sort":[{"by":"/n","compare":"magic"}]}"#,
          400,
          invalid,
          pointer: "/sort/0/compare"
        ),
        .second(#"{"op":"insert","key":"new","first":true,"index":0}"#, 400, invalid),
        .second(#"7"#, 400, invalid),
        Refusal(Ask(.post, "/batch", "{}"), 400, invalid),
        Refusal(Ask(.post, "/batch", #"{"operations":[],"x":1}"#), 400, invalid, pointer("/x")),
        Refusal(
          Ask(.post, "/batch", #"{"operations":[],"operations":[]}"#),
          400,
          invalid,
          pointer("/operations")
        ),
        Refusal(Ask(.put, "/nodes/new", #"{"colour":1}"#), 400, invalid, pointer("/colour")),
        Refusal(Ask(.put, "/nodes/box", #"{"key":"box"}"#), 400, invalid, pointer("/key")),
        Refusal(Ask(.put, "/nodes/box", #"{"children":[]}"#), 400, invalid),
        Refusal(
          Ask(.post, "/nodes/box/expand", #"{"levels":"some"}"#),
          400,
          invalid,
          pointer("/levels")
        ),
      ],
      reach
    )
  }

  @Test(arguments: Reach.allCases)
  func `an operation that the tree refuses rolls back its batch`(reach: Reach) throws {
    try expect(
      [
        .second(#"{"op":"remove","key":"none"}"#, 404, "node-not-found", key: "none"),
        .second(#"{"op":"expand","key":"pear"}"#, 404, "node-not-found", key: "pear"),
        .second(#"{"op":"reveal","keys":["nut","none"]}"#, 404, "node-not-found", key: "none"),
        .second(#"{"op":"insert","key":"nut"}"#, 409, "duplicate-key", key: "nut"),
        .second(
          #"{"op":"insert","key":"new","parent":"none"}"#,
          422,
          "parent-not-found",
          key: "none"
        ),
        .second(#"{"op":"move","key":"fruit","parent":"apple"}"#, 422, "cycle"),
        .second(#"{"op":"insert","key":"new","before":"nut"}"#, 422, "anchor-not-a-sibling"),
        .second(#"{"op":"insert","key":"new","index":4}"#, 422, "index-out-of-range"),
        Refusal(Ask(.delete, "/nodes/none"), 404, "node-not-found", ["key": "\"none\""]),
        Refusal(Ask(.patch, "/nodes/none", "{}"), 404, "node-not-found"),
        Refusal(
          Ask(.post, "/nodes/box/move", #"{"parent":"nut"}"#),
          422,
          "cycle",
          ["operation": "0"]
        ),
      ],
      reach
    )
  }

  @Test(arguments: Reach.allCases)
  func `requests are refused with the statuses of HTTP`(reach: Reach) throws {
    let html = [(name: "Accept", value: "text/html")]
    let text = [(name: "Content-Type", value: "text/plain")]
    try expect(
      [
        .plain(.get, "/rows?offset=6", 416, "range-not-satisfiable"),
        .plain(.get, "/rows/5", 416, "range-not-satisfiable"),
        .plain(.get, "/nodes/box/children?offset=2", 416, "range-not-satisfiable"),
        .plain(.get, "/rows?limit=0", 400, invalid), .plain(.get, "/rows?x=1", 400, invalid),
        .plain(.get, "/rows?around=nut", 404, "node-not-visible"),
        .plain(.get, "/rows?around=none", 404, "node-not-found"),
        .plain(.get, "/nodes/none/children", 404, "node-not-found"),
        .plain(.get, "/nowhere", 404, "route-not-found"),
        .plain(.post, "/rows", 405, "method-not-allowed"),
        .plain(.get, "/rows", 406, "not-acceptable", fields: html),
        .plain(.post, "/expandAll", 406, "not-acceptable", fields: html),
        .plain(.post, "/expandAll?changes=some", 400, invalid),
        Refusal(Ask(.post, "/expandAll", "{}", fields: text), 415, "unsupported-media-type"),
        Refusal(Ask(.patch, "/nodes/box", "{}", fields: text), 415, "unsupported-media-type"),
      ],
      reach
    )
  }

  @Test(arguments: Reach.allCases)
  func `a session with invalid options is not created`(reach: Reach) throws {
    try reach.withAccess { access in
      for (body, status, code, members) in [
        (#"{"colour":1}"#, 400, invalid, pointer("/colour")),
        (#"{"expansion":"some"}"#, 400, invalid, pointer("/expansion")),
        (
          #"{"nodes":[{"key":"a","children":[{"key":7}]}]}"#, 400, invalid,
          pointer("/nodes/0/children/0/key")
        ),
        (#"{"nodes":[{"key":"a"},{"key":"a"}]}"#, 409, "duplicate-key", ["key": "\"a\""]),
        (#"{"expandedKeys":["a"]}"#, 404, "node-not-found", ["key": "\"a\""]),
        (#"{"nodes":["#, 400, "malformed-json", ["byteOffset": "10"]),
      ] {
        let answer = try access.send(Ask(.post, "/v1/sessions", body))
        try expectProblem(answer, status, code, members, body)
      }
      let gone = Ask(.get, "/v1/sessions/s_0000000000000000000000/rows")
      try expectProblem(access.send(gone), 404, "session-not-found")
    }
  }

  @Test(arguments: Reach.allCases)
  func `a body over a limit is refused with the limit`(reach: Reach) throws {
    var decoding = DecodingLimits()
    decoding.maxOperations = 3
    decoding.maxNodes = 4
    decoding.maxObjectBytes = 40
    var limits = SessionLimits()
    limits.maxDepth = 2
    let big = "\"" + String(repeating: "x", count: 39) + "\""
    let toggle = #"{"op":"toggle","key":"box"}"#
    let four = Array(repeating: toggle, count: 4).joined(separator: ",")
    let five = (1...5).map { #"{"key":"n\#($0)"}"# }.joined(separator: ",")
    let many = #"{"op":"insert","key":"new","children":[\#(five)]}"#
    let deep = #"{"operations":[{"op":"insert","key":"new","parent":"nut"}]}"#
    try reach.withAccess(limits: limits, decoding: decoding) { access in
      let box = #"{"key":"box","children":[{"key":"nut"}]}"#
      try expect(
        [
          tooLarge(Ask(.post, "/batch", "{\"operations\":[\(four)]}"), 3),
          tooLarge(Ask(.post, "/batch", "{\"operations\":[\(many)]}"), 4),
          tooLarge(Ask(.patch, "/nodes/box", big), 40),
          Refusal(Ask(.post, "/batch", deep), 422, "depth-limit", ["limit": "2"]),
        ],
        of: try RemoteSession(access, #"{"nodes":[{"key":"a","children":[\#(box)]}]}"#)
      )
    }
  }

  private let invalid = "invalid-request"

  private func pointer(_ pointer: String) -> [String: String] { ["pointer": "\"\(pointer)\""] }

  private func tooLarge(_ ask: Ask, _ limit: Int) -> Refusal {
    Refusal(ask, 413, "content-too-large", ["limit": "\(limit)"])
  }

  private func expect(
    _ refusals: [Refusal],
    _ reach: Reach,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try Sample.with(reach) { session in
      try expect(refusals, of: session, sourceLocation: sourceLocation)
    }
  }

  private func expect(
    _ refusals: [Refusal],
    of session: RemoteSession,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let state = try session.state()
    for refusal in refusals {
      let label = "\(refusal.ask.target) \(String(decoding: refusal.ask.body, as: UTF8.self))"
      let answer = try session.send(refusal.ask)
      try expectProblem(
        answer,
        refusal.status,
        refusal.code,
        refusal.members,
        label,
        sourceLocation: sourceLocation
      )
      #expect(try session.state() == state, "\(label)", sourceLocation: sourceLocation)
    }
  }
}
