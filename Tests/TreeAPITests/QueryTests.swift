import HTTP
import Testing

@Suite struct `Query parameters` {
  @Test(arguments: [
    ("rows?lmit=3", "lmit"), ("rows?=3", "\"\""), ("rows?limit", "limit"), ("rows?limit=", "limit"),
    ("rows?limit=0", "limit"), ("rows?limit=1001", "limit"), ("rows?limit=+5", "limit"),
    ("rows?limit=1&limit=1", "limit"), ("rows?limit=1.0", "limit"), ("rows?limit=%D9%A3", "limit"),
    ("rows?offset=-1", "offset"), ("rows?offset=0x1", "offset"), ("rows?offset=%201", "offset"),
    ("rows?revision=-1", "revision"), ("rows?revision=%220%22", "revision"),
    ("rows?fields=", "fields"), ("rows?fields=key,", "fields"), ("rows?fields=key,key", "fields"),
    ("rows?fields=Key", "fields"), ("rows?fields=select", "fields"),
    ("rows?around=", "around"), ("rows?around=box&offset=0", "offset"),
    ("rows?around=box&limit=5", "limit"), ("rows?before=1", "before"), ("rows?after=1", "after"),
    ("rows?around=box&before=1000", "before"), ("rows?around=box&before=500&after=500", "after"),
    ("rows/0?offset=0", "offset"), ("rows/-1", "index"), ("rows/one", "index"),
    ("nodes/box?limit=1", "limit"), ("children?around=box", "around"),
    ("nodes/box/ancestors?limit=3", "limit"), ("rows?ancestors=-1", "ancestors"),
    ("search?q=a&count=1", "count"), ("?limit=1", "limit"),
  ])
  func `an invalid parameter is refused by name`(target: String, name: String) throws {
    let slash = target.hasPrefix("?") ? "" : "/"
    let answer = try Tester().send(.get, "{s}\(slash)\(target)")
    #expect(answer.status == 400 && answer.code == "invalid-request")
    #expect(answer.body.contains(name.replacing("\"", with: "\\\"")), "\(answer.body)")
  }

  @Test(arguments: [
    "changes=ROWS", "changes=", "changes=x", "include=row", "include=rows,rows", "limit=0",
    "include=rows&limit=1001", "dryRun=1", "dryRun", "dryRun=TRUE", "changes=rows&changes=rows",
    "offset=1", "fields=kye", "since=0", "section=A",
  ])
  func `an invalid parameter of a write is refused before any change`(query: String) throws {
    let tester = try Tester()
    let targets = ["{s}/nodes/box/expand", "{s}/expandAll", "{s}/nodes/apple/move"]
    for target in targets {
      #expect(try tester.send(.post, "\(target)?\(query)").code == "invalid-request")
    }
    #expect(try tester.send(.get, "{s}")[.eTag] == "\"0\"")
  }

  @Test(arguments: ["/healthz?x=1", "/openapi.yaml?x", "/v1/sessions?x=1"])
  func `a route without parameters refuses all`(target: String) throws {
    let method = target.hasPrefix("/v1") ? Method.post : .get
    let answer = try Tester().send(method, target)
    #expect(answer.code == "invalid-request")
    #expect(answer.member("detail")?.hasPrefix("There is no query parameter") == true)
  }

  @Test(arguments: [
    ("rows?offset=99999999999999999999999999", "range-not-satisfiable"),
    ("children?offset=9223372036854775807", "range-not-satisfiable"),
    ("rows/99999999999999999999999999", "range-not-satisfiable"),
    ("rows?revision=99999999999999999999999999", "revision-changed"),
  ])
  func `a huge number is out of range`(target: String, code: String) throws {
    #expect(try Tester().send(.get, "{s}/" + target).code == code)
  }

  @Test(arguments: ["rows?limit=1000", "rows?limit=007", "rows?around=box&before=0&after=999"])
  func `the extreme values are accepted`(target: String) throws {
    #expect(try Tester().send(.get, "{s}/" + target).status == 200)
  }

  @Test func `a long name is not repeated in the problem`() throws {
    let name = String(repeating: "y", count: 4_000)
    #expect(try Tester().send(.get, "{s}/rows?\(name)=1").body.utf8.count < 400)
  }
}
