import HTTP
import Testing
import TreeDomain

@testable import TreeAPI

@Suite struct `The page of a problem` {
  private static let codes = Set(
    ServiceErrorCode.allCases.map(\.rawValue) + ProblemCode.allCases.map(\.rawValue)
  )

  private static let browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"

  @Test func `exists for each code once`() {
    #expect(ProblemGuide.entries.map(\.code).sorted() == Self.codes.sorted())
  }

  @Test(arguments: codes.sorted())
  func `explains the code to programs and to browsers`(code: String) throws {
    let entry = try #require(ProblemGuide.entries.first { $0.code == code })
    let tester = try Tester()
    let plain = try tester.send(.get, "/problems/\(code)")
    #expect(plain.status == 200 && plain[.contentType] == "text/markdown; charset=utf-8")
    for text in [code, entry.meaning, entry.cause, entry.action, #""type":"/problems/\#(code)""#] {
      #expect(plain.body.contains(text), "\(plain.body)")
    }
    let page = try tester.send(.get, "/problems/\(code)", "", [(.accept, Self.browser)])
    #expect(page.status == 200 && page[.contentType] == "text/html; charset=utf-8")
    #expect(page[FieldName("Content-Security-Policy")] == "default-src 'none'")
    #expect(page.body.contains("<code>\(code)</code>") && page.body.contains("&quot;type&quot;"))
    #expect(!page.body.contains("<style") && !page.body.contains(" style="))
    #expect(plain[.vary] == "Accept" && page[.vary] == "Accept")
  }

  @Test(
    arguments: [
      (nil, "markdown"), ("*/*", "markdown"), ("text/markdown, text/html", "markdown"),
      ("text/html", "html"), ("text/*", "markdown"), ("application/json", "markdown"),
      ("text/html;q=0.1, text/markdown;q=0.2", "markdown"), ("text/markdown;q=0, */*", "html"),
    ] as [(String?, String)]
  )
  func `has the form that the client prefers`(accept: String?, form: String) throws {
    let fields = accept.map { [(FieldName.accept, $0)] } ?? []
    let answer = try Tester().send(.get, "/problems/cycle", "", fields)
    #expect(answer.status == 200 && answer[.contentType] == "text/\(form); charset=utf-8")
  }

  @Test(arguments: ["none", "Cycle", "%3Cscript%3E"])
  func `is not found for another code`(code: String) throws {
    let answer = try Tester().send(.get, "/problems/\(code)", "", [(.accept, Self.browser)])
    #expect(answer.status == 404 && answer.code == "route-not-found")
    let isNear = code == "Cycle"
    #expect(answer.body.contains("the nearest path is /problems/cycle") == isNear)
    #expect(answer.body.contains("ProblemCode in /openapi.yaml") != isNear)
  }

  @Test func `is at the type of a problem`() throws {
    let tester = try Tester()
    for target in ["/none", "{s}/nodes/none", "{s}/rows?x=1"] {
      let type = try #require(try tester.send(.get, target).member("type"))
      #expect(try tester.send(.get, type).status == 200)
    }
  }
}
