import HTTP
import Testing
import TreeEngine
import TreeSessions

@Suite struct `Long polls` {
  @Test func `past changes are answered at once in one list`() throws {
    let tester = try Tester()
    for path in ["box/expand", "fruit/collapse", "box/collapse"] {
      #expect(try tester.send(.post, "{s}/nodes/\(path)").status == 200)
    }
    for wait in ["", "&wait=0", "&wait=60"] {
      let answer = try tester.send(.get, "{s}/changes?since=1&changes=ranges" + wait)
      #expect(answer.body.hasPrefix(#"{"session":"S","previousRevision":1,"revision":3,"#))
      #expect(answer[.eTag] == "\"3\"" && answer[.vary] == "Accept, Prefer")
    }
    let none = try tester.send(.get, "{s}/changes?since=3")
    #expect(none.body.hasSuffix(#""format":"rows","changes":[],"unloaded":[]}"#))
  }

  @Test(arguments: [
    ("", "invalid-request"), ("?wait=1", "invalid-request"), ("?since=1", "history-expired"),
    ("?since=x", "invalid-request"), ("?since=0&wait=61", "invalid-request"),
    ("?since=0&wait=-1", "invalid-request"), ("?since=0&dryRun=true", "invalid-request"),
    ("?since=99&wait=1", "history-expired"),
  ])
  func `an invalid query is refused without waiting`(query: String, code: String) throws {
    #expect(try Tester().send(.get, "{s}/changes" + query).code == code)
  }

  @Test func `a long poll ignores Last-Event-ID`() throws {
    let tester = try Tester()
    #expect(try tester.send(.post, "{s}/nodes/box/expand").status == 200)
    let name = FieldName("Last-Event-ID")
    let answer = try tester.send(.get, "{s}/changes?since=0", "", [(name, "1")])
    #expect(answer.body.contains(#""previousRevision":0,"revision":1,"#))
  }

  @Test func `an expired revision is answered with 410`() throws {
    var limits = SessionLimits()
    limits.history = .none
    let tester = try Tester(limits: limits)
    #expect(try tester.send(.post, "{s}/nodes/box/expand").status == 200)
    let answer = try tester.send(.get, "{s}/changes?since=0&wait=5")
    #expect(answer.status == 410 && answer.code == "history-expired")
    #expect(answer.body.hasSuffix(#""revision":1,"rowCount":11}"#))
  }

  @Test func `a poll waits until a change`() throws {
    let tester = try Tester()
    let listener = try tester.listen("{s}/changes?since=0&wait=25")
    #expect(try listener.wait(at: 1_000) == 25_000)
    #expect(try listener.wait(at: 21_000) == 5_000)
    #expect(listener.wakes == 0)
    #expect(try tester.send(.post, "{s}/nodes/box/expand").status == 200)
    #expect(listener.wakes > 0)
    let answer = tester.text(of: try listener.response(at: 21_001))
    #expect(answer.body.hasPrefix(#"{"session":"S","previousRevision":0,"revision":1,"#))
    #expect(answer[.eTag] == "\"1\"")
  }

  @Test func `a poll ends after the requested time`() throws {
    let tester = try Tester()
    let listener = try tester.listen("{s}/changes?since=0&wait=2")
    #expect(try listener.wait(at: 500) == 2_000)
    let answer = tester.text(of: try listener.response(at: 2_500))
    #expect(answer.status == 200 && answer.body.contains(#""revision":0,"#))
    #expect(answer.body.contains(#""changes":[]"#))
  }

  @Test func `a poll ends when its session or the service ends`() throws {
    let tester = try Tester()
    let first = try tester.listen("{s}/changes?since=0&wait=9")
    let second = try tester.listen("{s}/changes?since=0&wait=9")
    #expect(try [first.wait(), second.wait()] == [9_000, 9_000])
    first.answer.drain()
    #expect(tester.text(of: try first.response()).body.contains(#""changes":[]"#))
    #expect(try tester.send(.delete, "{s}").status == 204)
    #expect(second.wakes > 0)
    #expect(tester.text(of: try second.response()).code == "session-not-found")
  }

  @Test func `the number of followers counts only waiting polls`() throws {
    var limits = SessionLimits()
    limits.maxFollowers = 1
    let tester = try Tester(limits: limits)
    let first = try tester.listen("{s}/changes?since=0&wait=9")
    let refused = try tester.send(.get, "{s}/changes?since=0&wait=9")
    #expect(refused.status == 503 && refused[.retryAfter] == "1")
    first.answer.cancel()
    let third = try tester.listen("{s}/changes?since=0&wait=1")
    #expect(try third.wait() == 1_000)
    #expect(try third.response(at: 1_000).status == .ok)
    #expect(try tester.listen("{s}/changes?since=0&wait=9").wait() == 9_000)
  }
}
