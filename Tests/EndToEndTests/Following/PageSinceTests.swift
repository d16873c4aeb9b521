import HTTP
import TestSupport
import Testing
import TreeAPI
import TreeEngine
import TreeSessions

/// A page of rows with `since` includes the changes up to its own revision.
struct PageSinceTests {
  private let access: RouterAccess

  init() {
    var limits = SessionLimits()
    limits.history.commits = 6
    access = RouterAccess(api: TreeAPI(service: SessionStore(limits: limits)))
  }

  /// The row keys of a client, maintained by change lists.
  private struct Keys {
    var keys: [String] = []
    var revision = 0

    mutating func apply(_ list: RawJSON) throws {
      try #require(list["previousRevision"]?.integer == revision)
      let changes = list["changes"]?.elements ?? []
      let sources = changes.filter { ["delete", "move"].contains($0["type"]?.string) }
        .compactMap { $0["index"]?.integer }
      for index in sources.sorted(by: >) { keys.remove(at: index) }
      for change in changes where ["insert", "move"].contains(change["type"]?.string) {
        let place = try #require(change["newIndex"]?.integer)
        keys.insert(try #require(change["key"]?.string), at: place)
      }
      revision = try #require(list["revision"]?.integer)
      #expect(list["rowCount"]?.integer == keys.count)
    }
  }

  private func makeSession() throws -> String {
    let nodes = (0..<20).map { number in
      #"{"key":"p\#(number)","children":[{"key":"a\#(number)"},{"key":"b\#(number)"}]}"#
    }
    let body = #"{"nodes":[\#(nodes.joined(separator: ","))],"expansion":1}"#
    let answer = try access.send(Ask(.post, "/v1/sessions", body))
    return try #require(answer["Location"])
  }

  private func operation(_ random: inout SeededGenerator, _ step: Int) -> String {
    let parent = "p\(random.number(in: 0...19))"
    let other = "p\(random.number(in: 0...19))"
    return random.choice([
      #"{"op":"toggle","key":"\#(parent)"}"#,
      #"{"op":"insert","key":"n\#(step)","parent":"\#(parent)"}"#,
      #"{"op":"move","key":"\#(parent)","before":"\#(other)"}"#,
      #"{"op":"remove","key":"a\#(random.number(in: 0...19))"}"#,
      #"{"op":"collapseAll"}"#, #"{"op":"expandAll"}"#,
    ])
  }

  @Test func `the changes lead from since to the rows of the page`() throws {
    for seed in Seed.seeds(count: 5) {
      var random = SeededGenerator(seed: seed)
      let session = try makeSession()
      var known = Keys()
      let first = try access.send(Ask(.get, session + "/rows?limit=1000")).json()
      known.keys = (first["rows"]?.elements ?? []).compactMap { $0["key"]?.string }
      var forgotten = 0
      for step in 0..<Seed.operations(default: 60) {
        let count = random.oneIn(8) ? 9 : random.number(in: 0...2)
        for number in 0..<count {
          let body = #"{"operations":[\#(operation(&random, 10 * step + number))]}"#
          _ = try access.send(Ask(.post, session + "/batch", body))
        }
        let offset = random.number(in: 0...known.keys.count)
        let query = "since=\(known.revision)&offset=\(offset)&limit=7"
        let page = try access.send(Ask(.get, "\(session)/rows?\(query)")).json()
        guard let list = page["changes"], list.text != "null" else {
          let all = try access.send(Ask(.get, session + "/rows?limit=1000")).json()
          known.keys = (all["rows"]?.elements ?? []).compactMap { $0["key"]?.string }
          known.revision = try #require(all["revision"]?.integer)
          forgotten += 1
          continue
        }
        try known.apply(list)
        #expect(page["revision"]?.integer == known.revision, "SEED=\(seed)")
        let start = try #require(page["offset"]?.integer)
        #expect(start == min(offset, known.keys.count), "SEED=\(seed)")
        let rows = (page["rows"]?.elements ?? []).compactMap { $0["key"]?.string }
        #expect(rows == Array(known.keys[start...].prefix(7)), "SEED=\(seed)")
      }
      #expect(forgotten > 0, "SEED=\(seed)")
    }
  }

  @Test func `the form of changes is refused without since`() throws {
    let session = try makeSession()
    let refusal = try access.send(Ask(.get, session + "/rows?changes=ranges"))
    #expect(refusal.status == 400 && refusal.text.contains("since"))
    let none = try access.send(Ask(.get, session + "/rows?since=0&changes=none&limit=1")).json()
    #expect(none["changes"]?["format"]?.string == "none")
    let future = try access.send(Ask(.get, session + "/rows?since=9&limit=1")).json()
    #expect(future["changes"]?.text == "null" && future["rows"]?.elements?.count == 1)
  }
}
